# The functions that differ between operating systems: memory, files, threads, the clock.
#
# A header without a module, and the only place that depends on the system.  Linux and
# macOS share POSIX; the compiler must be gcc or clang everywhere (clang-cl on Windows).

from rookery_engine.core.types cimport i64, u8, u64

cdef extern from * nogil:
    """
    #include <stddef.h>
    #include <stdint.h>
    #define SYSTEM_STACK (8 << 20)  /* bytes; the deepest search needs 2 MiB, musl gives 128 KiB */
    #define SYSTEM_NO_SIZE UINT64_MAX
    #ifdef __GNUC__  /* clang too; each module uses some of what follows */
    #pragma GCC diagnostic ignored "-Wunused-function"
    #endif
    #ifdef _WIN32
    #define WIN32_LEAN_AND_MEAN
    #include <io.h>
    #include <windows.h>
    typedef HANDLE system_thread;
    typedef SRWLOCK system_lock;
    typedef struct { void *(*run)(void *); void *argument; } system_start_args;

    static void *system_reserve(uint64_t size) {
        return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    }
    static void system_release(void *memory, uint64_t size) {
        (void)size;
        VirtualFree(memory, 0, MEM_RELEASE);
    }
    static int system_renew(void *memory, uint64_t size) {
        (void)memory; (void)size;
        return 0;
    }
    static int64_t system_now(void) {
        LARGE_INTEGER frequency, count;
        QueryPerformanceFrequency(&frequency);
        QueryPerformanceCounter(&count);
        return count.QuadPart / frequency.QuadPart * 1000000000
            + count.QuadPart % frequency.QuadPart * 1000000000 / frequency.QuadPart;
    }
    static const uint8_t *system_map_file(const char *path, uint64_t *size) {
        wchar_t name[32768];
        LARGE_INTEGER length;
        const uint8_t *memory = NULL;
        HANDLE file, mapping;
        *size = SYSTEM_NO_SIZE;
        if (!MultiByteToWideChar(CP_UTF8, 0, path, -1, name, 32768)) return NULL;
        file = CreateFileW(name, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING,
                           FILE_FLAG_RANDOM_ACCESS, NULL);
        if (file == INVALID_HANDLE_VALUE) return NULL;
        if (GetFileSizeEx(file, &length)) *size = (uint64_t)length.QuadPart;
        if (*size && *size != SYSTEM_NO_SIZE) {
            mapping = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
            if (mapping) {
                memory = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
                CloseHandle(mapping);
            }
        }
        CloseHandle(file);
        return memory;
    }
    static void system_unmap_file(const uint8_t *memory, uint64_t size) {
        (void)size;
        UnmapViewOfFile(memory);
    }
    static DWORD WINAPI system_run(LPVOID given) {
        system_start_args start = *(system_start_args *)given;
        HeapFree(GetProcessHeap(), 0, given);
        start.run(start.argument);
        return 0;
    }
    static void system_rest(void) { Sleep(0); }
    static int64_t system_read(int file, char *bytes, uint64_t size) {
        return _read(file, bytes, (unsigned int)size);
    }
    static int system_start(system_thread *thread, void *(*run)(void *), void *argument) {
        system_start_args *start = HeapAlloc(GetProcessHeap(), 0, sizeof *start);
        if (!start) return 0;
        start->run = run;
        start->argument = argument;
        *thread = CreateThread(NULL, SYSTEM_STACK, system_run, start,
                               STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
        if (!*thread) HeapFree(GetProcessHeap(), 0, start);
        return *thread != NULL;
    }
    static void system_join(system_thread thread) {
        WaitForSingleObject(thread, INFINITE);
        CloseHandle(thread);
    }
    static void system_lock_init(system_lock *lock) { InitializeSRWLock(lock); }
    static void system_lock_take(system_lock *lock) { AcquireSRWLockExclusive(lock); }
    static void system_lock_give(system_lock *lock) { ReleaseSRWLockExclusive(lock); }
    #else
    #include <fcntl.h>
    #include <pthread.h>
    #include <sys/mman.h>
    #include <sys/stat.h>
    #include <time.h>
    #include <unistd.h>
    typedef pthread_t system_thread;
    typedef pthread_mutex_t system_lock;

    static void *system_reserve(uint64_t size) {
        void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
        if (memory == MAP_FAILED) return NULL;
    #ifdef MADV_HUGEPAGE
        madvise(memory, size, MADV_HUGEPAGE);  /* only advice */
    #endif
        return memory;
    }
    static void system_release(void *memory, uint64_t size) { munmap(memory, size); }
    static int system_renew(void *memory, uint64_t size) {
    #ifdef __linux__
        return madvise(memory, size, MADV_DONTNEED) == 0;
    #else
        (void)memory; (void)size;
        return 0;
    #endif
    }
    static int64_t system_now(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    }
    static const uint8_t *system_map_file(const char *path, uint64_t *size) {
        struct stat status;
        void *memory = MAP_FAILED;
        int file = open(path, O_RDONLY | O_CLOEXEC);
        *size = SYSTEM_NO_SIZE;
        if (file < 0) return NULL;
        if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
            *size = (uint64_t)status.st_size;
            if (*size) memory = mmap(NULL, *size, PROT_READ, MAP_SHARED, file, 0);
        }
        close(file);
        if (memory == MAP_FAILED) return NULL;
        madvise(memory, *size, MADV_RANDOM);
        return memory;
    }
    static void system_unmap_file(const uint8_t *memory, uint64_t size) {
        munmap((void *)memory, size);
    }
    static void system_rest(void) {
        struct timespec moment = {0, 30000};
        nanosleep(&moment, NULL);
    }
    static int64_t system_read(int file, char *bytes, uint64_t size) {
        return read(file, bytes, size);
    }
    static int system_start(system_thread *thread, void *(*run)(void *), void *argument) {
        pthread_attr_t attributes;
        int failed;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, SYSTEM_STACK);
        failed = pthread_create(thread, &attributes, run, argument);
        pthread_attr_destroy(&attributes);
        return !failed;
    }
    static void system_join(system_thread thread) { pthread_join(thread, NULL); }
    static void system_lock_init(system_lock *lock) { pthread_mutex_init(lock, NULL); }
    static void system_lock_take(system_lock *lock) { pthread_mutex_lock(lock); }
    static void system_lock_give(system_lock *lock) { pthread_mutex_unlock(lock); }
    #endif
    """
    const u64 NO_SIZE "SYSTEM_NO_SIZE"

    # Memory of the size asked for, zeroed when it is first touched; NULL if there is none.
    void* reserve "system_reserve"(u64 size) noexcept
    void unreserve "system_release"(void* memory, u64 size) noexcept
    # Zero reserved memory at no cost; False where the system cannot.
    bint renew "system_renew"(void* memory, u64 size) noexcept

    # A file's bytes, read when they are first touched.  NULL if it cannot be mapped; its
    # size is set all the same, and is NO_SIZE if it cannot be read at all.
    const u8* map_bytes "system_map_file"(const char* path, u64* size) noexcept
    void unmap_bytes "system_unmap_file"(const u8* memory, u64 size) noexcept

    # Read what there is, at least a byte; 0 at the end of the file, -1 with `errno`.
    i64 read_bytes "system_read"(int file, char* bytes, u64 size) noexcept

    # Nanoseconds of a clock that never goes back.
    i64 now "system_now"() noexcept

    ctypedef struct SystemThread "system_thread":
        pass
    bint start_thread "system_start"(
        SystemThread* thread, void* (*run)(void*) noexcept nogil, void* argument
    ) noexcept
    void join_thread "system_join"(SystemThread thread) noexcept
    # Sleep for a moment, at most 0.1 ms.
    void rest "system_rest"() noexcept

    ctypedef struct SystemLock "system_lock":
        pass
    void init_lock "system_lock_init"(SystemLock* lock) noexcept
    void take_lock "system_lock_take"(SystemLock* lock) noexcept
    void give_lock "system_lock_give"(SystemLock* lock) noexcept
