/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fakeengine.c - a UCI engine stand-in that is never the bottleneck of a relay benchmark.
 *
 *   gcc -O2 -static -o fakeengine fakeengine.c
 *
 * Answers uci, isready, ucinewgame, position, stop, quit, setoption and
 *   go nodes K      K info lines (the K-th is "info string lines K bytes B", B = the bytes of the
 *                   K-1 lines before it without newlines: a receiver can check it lost nothing),
 *                   then "bestmove e2e4 ponder e7e5".  (Stamps are not counted in B.)
 *   go infinite     lines until stop (never more than 100 million).
 * Options (setoption name X value Y, or environment FAKEENGINE_X):
 *   Flush     block (default: one write per 32 KiB) | line (one write per line, as real engines do)
 *   Interval  microseconds between lines, 0 = as fast as possible; implies Flush line
 *   Stamp     true: each info line ends in " string ts NS", NS = CLOCK_MONOTONIC nanoseconds
 *   Ballast   KiB of memory to touch (a hash table's stand-in)
 * Lines are 100 to 200 bytes, 150 on average; 256 different ones (> 32 KiB, a deflate window) in turn.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { NLINES = 256, OUTSZ = 32768, MAXLINES = 100000000 };
static char lines[NLINES][256];
static int lens[NLINES];
static char out[OUTSZ + 512];
static int outn;
static char in[65536];
static int inn;
static int by_line, stamp, stopped, searching;
static long interval_us;
static char *ballast;

static void flush_out(void) {
    int o = 0;
    while (o < outn) {
        ssize_t n = write(1, out + o, outn - o);
        if (n < 0) { if (errno == EINTR) continue; _exit(1); }
        o += n;
    }
    outn = 0;
}
static void put(const char *s, int n) {
    if (outn + n + 1 > OUTSZ) flush_out();
    memcpy(out + outn, s, n); outn += n; out[outn++] = '\n';
}
static void say(const char *s) { put(s, strlen(s)); flush_out(); }
static int64_t now_ns(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000LL + t.tv_nsec; }

static void make_lines(void) {
    uint64_t r = 88172645463325252ULL;
    for (int i = 0; i < NLINES; i++) {
        int want = 100 + (i * 37) % 101;
        r ^= r << 13; r ^= r >> 7; r ^= r << 17;
        int n = snprintf(lines[i], 256, "info depth %d seldepth %d multipv 1 score cp %d nodes %llu nps %llu hashfull %d tbhits 0 time %d pv",
                         1 + i % 60, 3 + i % 60 + (int)(r % 9), (int)(r % 400) - 200, (unsigned long long)(r >> 34),
                         1000000ULL + (r >> 20) % 900000, (int)(r % 1000), (int)((r >> 8) % 60000));
        while (n + 5 <= want) {
            r ^= r << 13; r ^= r >> 7; r ^= r << 17;
            n += snprintf(lines[i] + n, 256 - n, " %c%c%c%c", 'a' + (int)(r & 7), '1' + (int)(r >> 3 & 7), 'a' + (int)(r >> 6 & 7), '1' + (int)(r >> 9 & 7));
        }
        lens[i] = n;
    }
}
static void set_option(const char *k, const char *v) {
    if (!strcasecmp(k, "flush")) by_line = !strcasecmp(v, "line");
    else if (!strcasecmp(k, "interval")) interval_us = atol(v);
    else if (!strcasecmp(k, "stamp")) stamp = !strcasecmp(v, "true");
    else if (!strcasecmp(k, "ballast")) { size_t n = (size_t)atol(v) << 10; ballast = realloc(ballast, n); if (ballast) memset(ballast, 1, n); }
}
static void run_lines(void);
static void pump(int wait_ms);

static void go(const char *arg) {
    long k = 0; const char *p;
    if ((p = strstr(arg, "nodes "))) k = atol(p + 6);
    else if (strstr(arg, "infinite")) k = MAXLINES;
    if (k > MAXLINES) k = MAXLINES;
    stopped = 0; searching = 1;
    int64_t bytes = 0, t0 = now_ns();
    char buf[512];
    run_lines();                /* those that came in one piece with `go` */
    for (long i = 0; i + 1 < k && !stopped; i++) {
        const char *s = lines[i % NLINES]; int n = lens[i % NLINES];
        if (interval_us) {
            for (;;) {
                int64_t d = t0 + (i + 1) * interval_us * 1000 - now_ns();
                if (d <= 0 || stopped) break;
                struct pollfd pf = {0, POLLIN, 0}; struct timespec ts = {d / 1000000000, d % 1000000000};
                if (ppoll(&pf, 1, &ts, NULL) > 0) pump(0);
            }
            if (stopped) break;
        } else if (i % 64 == 63) pump(0);
        if (stamp) { n = snprintf(buf, sizeof buf, "%s string ts %lld", s, (long long)now_ns()); s = buf; }
        bytes += lens[i % NLINES]; put(s, n);
        if (by_line || interval_us) flush_out();
    }
    if (k > 0) { int n = snprintf(buf, sizeof buf, "info string lines %ld bytes %lld", k, (long long)bytes); put(buf, n); }
    searching = 0;
    say("bestmove e2e4 ponder e7e5");
}
static void command(char *s) {
    if (!strcmp(s, "uci")) {
        put("id name Fake 1", 14); put("id author nobody", 16);
        put("option name Flush type combo default block var block var line", 61);
        put("option name Interval type spin default 0 min 0 max 10000000", 59);
        put("option name Stamp type check default false", 42);
        put("option name Ballast type spin default 0 min 0 max 1048576", 57);
        say("uciok");
    } else if (!strcmp(s, "isready")) say("readyok");
    else if (!strcmp(s, "quit")) { flush_out(); _exit(0); }
    else if (!strcmp(s, "stop")) stopped = 1;
    else if (!strncmp(s, "go", 2)) { if (!searching) go(s + 2); }
    else if (!strncmp(s, "setoption name ", 15)) {
        char *v = strstr(s + 15, " value ");
        if (v) { *v = 0; set_option(s + 15, v + 7); }
    }
}
/* Runs the complete lines that have been read. */
static void run_lines(void) {
    char *e;
    while ((e = memchr(in, '\n', inn))) {
        char cmd[4096]; int l = e - in;
        if (l > 4095) l = 4095;
        memcpy(cmd, in, l); cmd[l] = 0;
        if (l && cmd[l - 1] == '\r') cmd[l - 1] = 0;
        inn -= e + 1 - in; memmove(in, e + 1, inn);
        command(cmd);           /* may come back here through go() */
    }
}
/* Reads what is there (waiting if asked) and runs the complete lines; end of input is quit. */
static void pump(int wait_ms) {
    struct pollfd pf = {0, POLLIN, 0};
    if (wait_ms == 0 && poll(&pf, 1, 0) <= 0) return;
    ssize_t n = read(0, in + inn, sizeof in - 1 - inn);
    if (n <= 0) { if (n < 0 && errno == EINTR) return; _exit(0); }
    inn += n;
    run_lines();
    if (inn == sizeof in - 1) inn = 0;
}
int main(void) {
    static const char *opts[] = {"FLUSH", "INTERVAL", "STAMP", "BALLAST"};
    for (int i = 0; i < 4; i++) { char k[32]; snprintf(k, 32, "FAKEENGINE_%s", opts[i]); char *v = getenv(k); if (v) set_option(opts[i], v); }
    make_lines();
    for (;;) pump(-1);
}
