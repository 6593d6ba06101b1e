# Compiler and processor features of the core, by the C preprocessor.

cdef extern from *:
    """
    #if defined(__clang__)
    #define ROOKERY_COMPILER "clang " __clang_version__
    #elif defined(__GNUC__)
    #define ROOKERY_COMPILER "gcc " __VERSION__
    #else
    #define ROOKERY_COMPILER "an unknown compiler"
    #endif
    #if defined(__x86_64__) || defined(_M_X64)
    #define ROOKERY_ARCHITECTURE "x86-64"
    #elif defined(__aarch64__)
    #define ROOKERY_ARCHITECTURE "arm64"
    #else
    #define ROOKERY_ARCHITECTURE "another one"
    #endif
    #ifdef __AVX512F__
    #define ROOKERY_AVX512 "AVX512 "
    #else
    #define ROOKERY_AVX512 ""
    #endif
    #ifdef __AVX2__
    #define ROOKERY_AVX2 "AVX2 "
    #else
    #define ROOKERY_AVX2 ""
    #endif
    #ifdef __BMI2__
    #define ROOKERY_BMI2 "BMI2 "
    #else
    #define ROOKERY_BMI2 ""
    #endif
    #ifdef __POPCNT__
    #define ROOKERY_POPCNT "POPCNT"
    #else
    #define ROOKERY_POPCNT ""
    #endif
    #define ROOKERY_FEATURES ROOKERY_AVX512 ROOKERY_AVX2 ROOKERY_BMI2 ROOKERY_POPCNT
    """
    const char* _COMPILER "ROOKERY_COMPILER"
    const unsigned int _CYTHON_HEX "CYTHON_HEX_VERSION"
    const char* _PYTHON "PY_VERSION"
    const char* _ARCHITECTURE "ROOKERY_ARCHITECTURE"
    const char* _FEATURES "ROOKERY_FEATURES"
