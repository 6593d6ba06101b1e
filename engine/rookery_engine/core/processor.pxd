# Features of this processor; the levels are those of the x86-64 psABI.

cdef extern from *:
    """
    #if defined(__x86_64__) || defined(_M_X64)
    #include <cpuid.h>
    static int processor_has_v3(void) {
        const unsigned first = 1u << 12     /* FMA */
            | 1u << 22 | 1u << 23           /* MOVBE, POPCNT */
            | 1u << 27 | 1u << 28 | 1u << 29;   /* OSXSAVE, AVX, F16C */
        const unsigned seventh = 1u << 3 | 1u << 5 | 1u << 8;   /* BMI1, AVX2, BMI2 */
        const unsigned lzcnt = 1u << 5;
        const unsigned kept = 1u << 1 | 1u << 2;    /* of SSE and AVX */
        unsigned a, b, c, d;
        if (!__get_cpuid(1, &a, &b, &c, &d) || (c & first) != first) return 0;
        if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & seventh) != seventh) return 0;
        if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(c & lzcnt)) return 0;
        __asm__ volatile ("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
        return (a & kept) == kept;
    }
    #else
    static int processor_has_v3(void) { return 0; }
    #endif
    """
    bint _has_v3 "processor_has_v3"()
