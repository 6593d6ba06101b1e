/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loadgen.c - load generator for servers that relay line-based (UCI) engines to remote clients.
 *
 *   gcc -O2 -Wall -Wextra -o loadgen loadgen.c -lz
 *   ./loadgen --ws ws://127.0.0.1:8080/path --sessions 16 --mode throughput --lines 200000 --json
 *
 * One thread, epoll.  See README.md or --help.  Every loop is bounded by counts and by --timeout.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { T_WS, T_TCP, T_EXEC };
enum { M_RTT, M_THROUGHPUT, M_SETUP, M_HOLD };
enum { S_FREE, S_CONNECTING, S_UPGRADE, S_SCRIPT, S_READY, S_UP, S_DEAD };
enum { RBUF = 1 << 18, MAXSTEPS = 64, MAXHDR = 64 };

typedef struct {
    int rfd, wfd, state, step, inflate_on, no_takeover, msg_deflated, msg_open, pending, probing;
    pid_t pid;
    char *left; size_t leftn, leftcap;          /* bytes of an incomplete frame, line or HTTP head */
    char *msg; size_t msgn, msgcap;             /* a fragmented or compressed message */
    z_stream z;
    int64_t t0, t_sent, setup_ns, connect_ns;
    long goes_left; int64_t lines, bytes, chk_lines, chk_bytes;
} Sess;

/* --- options --- */
static int transport = -1, mode = M_RTT, sessions = 1, parallel = 8, inflight = 1, json, offer, keep = 1, hold_s = 2, spin;
static long count = 20000, warmup = 500, nlines = 100000, repeat = 1, gap_us, timeout_s = 60;
static char host[256] = "127.0.0.1", path[2048] = "/", port[16] = "80", *unix_path, *exec_argv[64], *label = "";
static char *headers[MAXHDR], *subproto, *query, *steps[MAXSTEPS];
static int nheaders, nsteps;
static const char *ready_cmd = "isready", *ready_reply = "readyok", *go_fmt = "go nodes %ld", *done_reply = "bestmove";
static const char *engine_comm = "fakeengine";
static int server_pid;
static int check = 1, stamped;

static Sess *S; static int ep, live, failed, done_setup; static char *rbuf, *zbuf;
static int64_t total_lines, total_bytes, total_msgs, total_reads, bad_checks, wire_bytes;
static int64_t *samples; static long nsamples, capsamples;
static char errmsg[512];

static int64_t now_ns(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000LL + t.tv_nsec; }
static void die(const char *f, ...) { va_list a; va_start(a, f); fprintf(stderr, "loadgen: "); vfprintf(stderr, f, a); fputc('\n', stderr); exit(2); }
static void add_sample(int64_t v) {
    if (nsamples == capsamples) { capsamples = capsamples ? capsamples * 2 : 65536; samples = realloc(samples, capsamples * sizeof *samples); }
    samples[nsamples++] = v;
}
static uint32_t rnd(void) { static uint32_t x = 2463534242u; x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x; }

/* --- the server's process tree: CPU, memory --- */
typedef struct { double cpu, ecpu; long rss, pss, erss, epss, procs, eprocs, threads, fds; } Usage;
static long grab(const char *f, const char *key) {
    FILE *fp = fopen(f, "r"); char l[256]; long v = 0;
    if (!fp) return 0;
    while (fgets(l, sizeof l, fp)) if (!strncmp(l, key, strlen(key))) { v = atol(l + strlen(key)); break; }
    fclose(fp); return v;
}
static Usage usage(int with_memory) {
    Usage u = {0}; if (!server_pid) return u;
    static struct { int pid, ppid; long ut, thr, rss; char comm[32]; unsigned char in; } p[65536];
    int n = 0; DIR *d = opendir("/proc"); struct dirent *e; double hz = sysconf(_SC_CLK_TCK); char f[64], b[1024];
    while (d && (e = readdir(d)) && n < 65536) {
        int pid = atoi(e->d_name); if (pid <= 0) continue;
        snprintf(f, sizeof f, "/proc/%d/stat", pid);
        int fd = open(f, O_RDONLY); if (fd < 0) continue;
        ssize_t r = read(fd, b, sizeof b - 1); close(fd); if (r <= 0) continue;
        b[r] = 0; char *o = strchr(b, '('), *c = strrchr(b, ')'); if (!o || !c) continue;
        *c = 0; snprintf(p[n].comm, sizeof p[n].comm, "%s", o + 1);
        long ut = 0, st = 0, thr = 0, rss = 0; int ppid = 0;
        sscanf(c + 2, "%*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %*d %*d %*d %*d %ld %*d %*u %*u %ld", &ppid, &ut, &st, &thr, &rss);
        p[n].pid = pid; p[n].ppid = ppid; p[n].ut = ut + st; p[n].thr = thr; p[n].rss = rss; p[n].in = pid == server_pid; n++;
    }
    if (d) closedir(d);
    for (int again = 1, k = 0; again && k < 16; k++) {
        again = 0;
        for (int i = 0; i < n; i++) if (!p[i].in) for (int j = 0; j < n; j++) if (p[j].in && p[j].pid == p[i].ppid) { p[i].in = again = 1; break; }
    }
    for (int i = 0; i < n; i++) if (p[i].in) {
        int eng = !strcmp(p[i].comm, engine_comm); long pss = 0;
        if (with_memory) { snprintf(f, sizeof f, "/proc/%d/smaps_rollup", p[i].pid); pss = grab(f, "Pss:"); }
        long rss = p[i].rss * (sysconf(_SC_PAGESIZE) / 1024);
        if (eng) { u.ecpu += p[i].ut / hz; u.erss += rss; u.epss += pss; u.eprocs++; continue; }
        u.cpu += p[i].ut / hz; u.rss += rss; u.pss += pss; u.procs++; u.threads += p[i].thr;
        if (with_memory) {
            snprintf(f, sizeof f, "/proc/%d/fd", p[i].pid); DIR *q = opendir(f);
            while (q && readdir(q)) u.fds++;
            if (q) { u.fds -= 3; closedir(q); }
        }
    }
    return u;
}

/* --- sending --- */
static void kill_sess(Sess *s, const char *why) {
    if (s->state == S_DEAD || s->state == S_FREE) return;
    if (s->state != S_UP) failed++; else live--;
    if (!errmsg[0]) snprintf(errmsg, sizeof errmsg, "session %d: %s", (int)(s - S), why);
    s->state = S_DEAD; close(s->rfd); if (s->wfd != s->rfd) close(s->wfd);
}
static void write_all(Sess *s, const char *b, size_t n) {
    int64_t limit = now_ns() + 5000000000LL;
    while (n) {
        ssize_t w = write(s->wfd, b, n);
        if (w > 0) { b += w; n -= w; continue; }
        if (w < 0 && errno == EINTR) continue;
        if (w < 0 && errno == EAGAIN && now_ns() < limit) { struct timespec t = {0, 50000}; nanosleep(&t, NULL); continue; }
        kill_sess(s, "write failed"); return;
    }
}
static void ws_frame(Sess *s, int op, const char *t, size_t n) {
    char b[14 + 65536]; size_t h = 2; if (n > 65535) die("message too long");
    b[0] = (char)(0x80 | op);
    if (n < 126) b[1] = (char)(0x80 | n); else { b[1] = (char)(0x80 | 126); b[2] = (char)(n >> 8); b[3] = (char)n; h = 4; }
    uint32_t m = rnd(); memcpy(b + h, &m, 4);
    for (size_t i = 0; i < n; i++) b[h + 4 + i] = t[i] ^ ((char *)&m)[i & 3];
    write_all(s, b, h + 4 + n);
}
static void send_line(Sess *s, const char *t) {
    size_t n = strlen(t);
    if (transport == T_WS) { ws_frame(s, 1, t, n); return; }
    char b[65600]; if (n > 65535) die("line too long");
    memcpy(b, t, n); b[n] = '\n'; write_all(s, b, n + 1);
}

/* --- a session's progress --- */
static void session_up(Sess *s) { s->state = S_UP; s->setup_ns = now_ns() - s->t0; live++; done_setup++; }
static void run_script(Sess *s) {               /* until the next expect, then the isready of set-up */
    while (s->state == S_SCRIPT && s->step < nsteps && steps[s->step][0] == 's') send_line(s, steps[s->step++] + 5);
    if (s->state == S_SCRIPT && s->step == nsteps) { s->state = S_READY; send_line(s, ready_cmd); }
}
static int starts(const char *l, size_t n, const char *p) { size_t k = strlen(p); return n >= k && !memcmp(l, p, k); }
static void probe(Sess *s) { s->probing = 1; s->t_sent = now_ns(); send_line(s, ready_cmd); }
static void send_go(Sess *s) { char b[256]; snprintf(b, sizeof b, go_fmt, nlines); s->chk_lines = s->chk_bytes = 0; s->pending = 1; send_line(s, b); }
static int next_probe, want_probes; static long probes_left, probes_done; static int gos_open;
static void issue_probes(void) {
    for (int tries = 0; want_probes > 0 && probes_left > 0 && tries < sessions; tries++) {
        Sess *s = &S[next_probe]; next_probe = (next_probe + 1) % sessions;
        if (s->state != S_UP || s->probing) continue;
        want_probes--; probes_left--; probe(s);
    }
}
static void on_line(Sess *s, const char *l, size_t n) {
    if (n && l[n - 1] == '\r') n--;
    s->lines++; total_lines++; total_bytes += n + 1;
    switch (s->state) {
    case S_SCRIPT:
        if (s->step < nsteps && starts(l, n, steps[s->step] + 7)) { s->step++; run_script(s); }
        return;
    case S_READY:
        if (starts(l, n, ready_reply)) session_up(s);
        return;
    case S_UP:
        if (s->probing && starts(l, n, ready_reply)) {
            int64_t t = now_ns(); s->probing = 0;
            if (probes_done++ >= warmup) add_sample(t - s->t_sent);
            if (gap_us) { struct timespec g = {gap_us / 1000000, gap_us % 1000000 * 1000}; nanosleep(&g, NULL); }
            want_probes++; issue_probes();
        } else if (s->pending) {
            if (starts(l, n, done_reply)) {
                s->pending = 0;
                if (check && s->chk_lines != nlines) bad_checks++;
                if (--s->goes_left > 0) send_go(s); else gos_open--;
            } else if (n && l[0] == 'i') {
                s->chk_lines++;
                if (stamped && n > 24) {                /* "... string ts NS" */
                    const char *d = l + n; while (d > l && d[-1] >= '0' && d[-1] <= '9') d--;
                    if (d - l > 4 && !memcmp(d - 4, " ts ", 4)) {
                        int64_t v = 0; const char *c = d; while (c < l + n) v = v * 10 + *c++ - '0';
                        add_sample(now_ns() - v); s->chk_bytes -= 11 + (l + n - d);
                    }
                }
                if (check && starts(l, n, "info string lines ")) {
                    char t[128]; size_t k = n < 127 ? n : 127; memcpy(t, l, k); t[k] = 0; long a; long long b = 0;
                    if (sscanf(t, "info string lines %ld bytes %lld", &a, &b) == 2 && b != s->chk_bytes) bad_checks++;
                } else s->chk_bytes += n;
            }
        }
        return;
    }
}
static void on_text(Sess *s, const char *b, size_t n) {         /* one message: one or several lines */
    total_msgs++;
    const char *e = b + n, *q;
    while (b < e && s->state != S_DEAD) {
        q = memchr(b, '\n', e - b);
        if (!q) { on_line(s, b, e - b); return; }
        on_line(s, b, q - b); b = q + 1;
    }
    if (!n) on_line(s, b, 0);
}
static void grow(char **b, size_t *cap, size_t need) { if (need > *cap) { *cap = need * 2; *b = realloc(*b, *cap); if (!*b) die("memory"); } }
static void append(char **b, size_t *n, size_t *cap, const char *d, size_t k) { grow(b, cap, *n + k); if (k) memcpy(*b + *n, d, k); *n += k; }
static void on_message(Sess *s, const char *b, size_t n, int deflated) {
    if (!deflated) { on_text(s, b, n); return; }
    static const char tail[4] = {0, 0, (char)0xff, (char)0xff}; size_t o = 0;
    for (int part = 0; part < 2; part++) {
        s->z.next_in = (Bytef *)(part ? tail : b); s->z.avail_in = part ? 4 : n;
        do {
            s->z.next_out = (Bytef *)zbuf + o; s->z.avail_out = (16 << 20) - o;
            int r = inflate(&s->z, Z_SYNC_FLUSH);
            if (r != Z_OK && r != Z_BUF_ERROR && r != Z_STREAM_END) { kill_sess(s, "bad deflate data"); return; }
            o = (16 << 20) - s->z.avail_out;
            if (r == Z_BUF_ERROR) break;
        } while (s->z.avail_in);
    }
    if (s->no_takeover) inflateReset(&s->z);
    on_text(s, zbuf, o);
}
/* Consumes complete frames, returns how many bytes it used. */
static size_t ws_input(Sess *s, const char *b, size_t n) {
    size_t o = 0;
    while (s->state != S_DEAD && n - o >= 2) {
        const unsigned char *p = (const unsigned char *)b + o; size_t h = 2; uint64_t len = p[1] & 127;
        if (p[1] & 128) { kill_sess(s, "masked frame from server"); return n; }
        if (len == 126) { h = 4; if (n - o < h) break; len = p[2] << 8 | p[3]; }
        else if (len == 127) { h = 10; if (n - o < h) break; len = 0; for (int i = 0; i < 8; i++) len = len << 8 | p[2 + i]; }
        if (len > 64u << 20) { kill_sess(s, "frame too long"); return n; }
        if (n - o < h + len) break;
        const char *d = b + o + h; int op = p[0] & 15, fin = p[0] >> 7, rsv1 = p[0] >> 6 & 1;
        o += h + len;
        if (op == 9) { ws_frame(s, 10, d, len > 125 ? 125 : len); continue; }
        if (op == 10) continue;
        if (op == 8) { kill_sess(s, "closed by server"); return n; }
        if (op != 0) { s->msg_deflated = rsv1; s->msgn = 0; s->msg_open = !fin; }
        if (op != 0 && fin) { on_message(s, d, len, rsv1); continue; }
        append(&s->msg, &s->msgn, &s->msgcap, d, len);
        if (fin) { s->msg_open = 0; on_message(s, s->msg, s->msgn, s->msg_deflated); }
    }
    return o;
}
static size_t line_input(Sess *s, const char *b, size_t n) {
    size_t o = 0; const char *q;
    while (s->state != S_DEAD && o < n && (q = memchr(b + o, '\n', n - o))) { on_line(s, b + o, q - b - o); o = q + 1 - b; }
    return o;
}
static void start_script(Sess *s) { s->state = S_SCRIPT; run_script(s); }
static size_t http_input(Sess *s, const char *b, size_t n) {
    const char *e = memmem(b, n, "\r\n\r\n", 4);
    if (!e) return 0;
    if (n < 12 || memcmp(b + 8, " 101", 4)) { char w[128]; snprintf(w, sizeof w, "upgrade refused: %.*s", (int)(n < 60 ? n : 60), b); for (char *c = w; *c; c++) if (*c < 32) *c = ' '; kill_sess(s, w); return n; }
    char *h = strndup(b, e - b); 
    if (strcasestr(h, "permessage-deflate")) {
        s->inflate_on = 1; s->no_takeover = !!strcasestr(h, "server_no_context_takeover");
        if (inflateInit2(&s->z, -15) != Z_OK) die("zlib");
    } else if (offer) offer = -1;
    free(h); start_script(s);
    return e + 4 - b;
}
static void readable(Sess *s) {
    size_t have = s->leftn; ssize_t n;
    if (have) { grow(&s->left, &s->leftcap, have + RBUF); n = read(s->rfd, s->left + have, RBUF); }
    else n = read(s->rfd, rbuf, RBUF);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) { kill_sess(s, n ? strerror(errno) : "end of stream"); return; }
    total_reads++; wire_bytes += n;
    const char *b = have ? s->left : rbuf; size_t k = have + n, o = 0;
    if (s->state == S_UPGRADE) { o = http_input(s, b, k); if (!o) goto save; }
    if (s->state != S_DEAD) o += transport == T_WS ? ws_input(s, b + o, k - o) : line_input(s, b + o, k - o);
save:
    if (s->state == S_DEAD) return;
    k -= o;
    if (have) { memmove(s->left, b + o, k); s->leftn = k; }
    else { s->leftn = 0; if (k) append(&s->left, &s->leftn, &s->leftcap, b + o, k); }
    if (!s->leftn && s->leftcap > 65536 * 2) { free(s->left); s->left = NULL; s->leftcap = 0; }
}

/* --- opening --- */
static struct sockaddr_storage addr; static socklen_t addrlen; static int family = AF_INET;
static void resolve(void) {
    if (unix_path) { struct sockaddr_un *u = (void *)&addr; family = u->sun_family = AF_UNIX; snprintf(u->sun_path, sizeof u->sun_path, "%s", unix_path); addrlen = sizeof *u; return; }
    struct addrinfo h = {0}, *r; h.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, port, &h, &r)) die("cannot resolve %s", host);
    memcpy(&addr, r->ai_addr, r->ai_addrlen); addrlen = r->ai_addrlen; family = r->ai_family; freeaddrinfo(r);
}
static void open_sess(Sess *s) {
    memset(s, 0, sizeof *s); s->t0 = now_ns(); s->goes_left = repeat;
    if (transport == T_EXEC) {
        int a[2], b[2]; if (pipe2(a, O_CLOEXEC) || pipe2(b, O_CLOEXEC)) die("pipe: %s", strerror(errno));
        s->pid = vfork();
        if (!s->pid) { dup2(a[0], 0); dup2(b[1], 1); execvp(exec_argv[0], exec_argv); _exit(127); }
        close(a[0]); close(b[1]); s->wfd = a[1]; s->rfd = b[0]; fcntl(s->rfd, F_SETFL, O_NONBLOCK);
    } else {
        s->rfd = s->wfd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0); int one = 1;
        if (s->rfd < 0) { s->state = S_CONNECTING; kill_sess(s, "socket"); return; }
        s->state = S_CONNECTING;
        if (connect(s->rfd, (void *)&addr, addrlen)) { kill_sess(s, "connect refused"); return; }   /* blocking: loopback */
        s->connect_ns = now_ns() - s->t0;
        if (family != AF_UNIX) setsockopt(s->rfd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        fcntl(s->rfd, F_SETFL, O_NONBLOCK);
    }
    s->state = S_UPGRADE;
    struct epoll_event ev = {.events = EPOLLIN, .data.ptr = s}; epoll_ctl(ep, EPOLL_CTL_ADD, s->rfd, &ev);
    if (transport != T_WS) { start_script(s); return; }
    char b[16384]; int n = snprintf(b, sizeof b,
        "GET %s%s%s HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
        path, query ? (strchr(path, '?') ? "&" : "?") : "", query ? query : "", host, port);
    if (offer) n += snprintf(b + n, sizeof b - n, "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n");
    if (subproto) n += snprintf(b + n, sizeof b - n, "Sec-WebSocket-Protocol: %s\r\n", subproto);
    for (int i = 0; i < nheaders && n < 16000; i++) n += snprintf(b + n, sizeof b - n, "%s\r\n", headers[i]);
    n += snprintf(b + n, sizeof b - n, "\r\n");
    write_all(s, b, n);
}
static int64_t deadline;
static int turn(void) {
    struct epoll_event ev[256]; int64_t left = deadline - now_ns();
    if (left <= 0) return 0;
    int n = epoll_wait(ep, ev, 256, spin ? 0 : (int)(left / 1000000) + 1);
    for (int i = 0; i < n; i++) { Sess *s = ev[i].data.ptr; if (s->state != S_DEAD) readable(s); }
    return 1;
}
static int cmp(const void *a, const void *b) { int64_t x = *(const int64_t *)a, y = *(const int64_t *)b; return x < y ? -1 : x > y; }
static double pct(double p) { if (!nsamples) return 0; long i = (long)(p / 100 * nsamples); if (i >= nsamples) i = nsamples - 1; return samples[i] / 1000.0; }
static double cpu_self(void) { struct rusage r; getrusage(RUSAGE_SELF, &r); return r.ru_utime.tv_sec + r.ru_stime.tv_sec + (r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6; }

static char out[16384]; static int outn;
static void kv(const char *k, const char *f, ...) {
    char v[1024]; va_list a; va_start(a, f); vsnprintf(v, sizeof v, f, a); va_end(a);
    if (json) outn += snprintf(out + outn, sizeof out - outn, "%s\"%s\": %s", outn ? ", " : "{", k, v);
    else outn += snprintf(out + outn, sizeof out - outn, "%-24s %s\n", k, v);
}
static void latency(const char *p) {
    if (!nsamples) return;
    char k[64]; double sum = 0;
    qsort(samples, nsamples, sizeof *samples, cmp);
    for (long i = 0; i < nsamples; i++) sum += samples[i];
    static const struct { const char *n; double p; } q[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p999", 99.9}, {"max", 100}};
    for (int i = 0; i < 5; i++) { snprintf(k, sizeof k, "%s_us_%s", p, q[i].n); kv(k, "%.1f", pct(q[i].p)); }
    snprintf(k, sizeof k, "%s_us_mean", p); kv(k, "%.1f", sum / nsamples / 1000);
    snprintf(k, sizeof k, "%s_n", p); kv(k, "%ld", nsamples);
}
static const char *help =
"loadgen: measures a server that relays UCI engines (one text line = one message)\n"
"  where:  --ws ws://HOST:PORT/PATH | --tcp HOST:PORT | --unix PATH (lines; with --ws: WebSocket over it) | --exec CMD (local pipe)\n"
"  what:   --mode rtt|throughput|setup|hold   --sessions N   --label TEXT   --json   --timeout S (60)\n"
"  open:   --parallel P sessions being opened at once (8; setup mode: 1)\n"
"          --header 'K: V'  --query a=b  --subprotocol X  --deflate (offer permessage-deflate)\n"
"          --send TEXT, --expect PREFIX (in order, after the upgrade: a log-in, uci/uciok, options ...)\n"
"          a session is up when --ready-cmd (isready) was answered by --ready-reply (readyok)\n"
"  rtt:    --count PROBES (20000) in all, --warmup W (500), --inflight C (1) at once, round robin over the sessions;\n"
"          --gap-us G between an answer and the next probe;  --spin busy-waits\n"
"  throughput: --lines K per go (100000), --repeat R gos a session (1); --go FORMAT ('go nodes %ld'), --done PREFIX (bestmove);\n"
"          the engine's line and byte counts are compared unless --no-check\n"
"          --stamped: lines end in ' string ts NS' (CLOCK_MONOTONIC): their delay from the engine to here\n"
"  setup:  connect to first readyok, one by one (--parallel), all kept open (--no-keep closes each)\n"
"  hold:   opens N, holds --hold S (2), then probes each once: how many live\n"
"  server: --server-pid PID: CPU and memory of its process tree, engines (--engine-comm fakeengine) apart\n";

int main(int argc, char **argv) {
    int par_set = 0;
    for (int i = 1; i < argc; i++) {
        char *a = argv[i]; 
        if (!strcmp(a, "--json")) { json = 1; continue; }
        if (!strcmp(a, "--deflate")) { offer = 1; continue; }
        if (!strcmp(a, "--spin")) { spin = 1; continue; }
        if (!strcmp(a, "--no-keep")) { keep = 0; continue; }
        if (!strcmp(a, "--no-check")) { check = 0; continue; }
        if (!strcmp(a, "--stamped")) { stamped = 1; continue; }
        if (!strcmp(a, "--help") || !strcmp(a, "-h")) { fputs(help, stdout); return 0; }
        if (i + 1 >= argc) die("%s wants a value (see --help)", a);
        char *v = argv[++i];
        if (!strcmp(a, "--ws")) {
            transport = T_WS; char *h = !strncmp(v, "ws://", 5) ? v + 5 : v; size_t n = strcspn(h, ":/");
            snprintf(host, sizeof host, "%.*s", (int)n, h); h += n;
            if (*h == ':') { n = strcspn(h + 1, "/"); snprintf(port, sizeof port, "%.*s", (int)n, h + 1); h += n + 1; }
            if (*h) snprintf(path, sizeof path, "%s", h);
        } else if (!strcmp(a, "--tcp")) { transport = T_TCP; char *c = strrchr(v, ':'); if (!c) die("--tcp HOST:PORT"); snprintf(host, sizeof host, "%.*s", (int)(c - v), v); snprintf(port, sizeof port, "%s", c + 1); }
        else if (!strcmp(a, "--unix")) { unix_path = v; if (transport < 0) transport = T_TCP; }
        else if (!strcmp(a, "--exec")) { transport = T_EXEC; int k = 0; for (char *w = strtok(v, " "); w && k < 63; w = strtok(NULL, " ")) exec_argv[k++] = w; if (!k) die("--exec CMD ARGS"); }
        else if (!strcmp(a, "--mode")) mode = !strcmp(v, "rtt") ? M_RTT : !strcmp(v, "throughput") ? M_THROUGHPUT : !strcmp(v, "setup") ? M_SETUP : !strcmp(v, "hold") ? M_HOLD : (die("unknown mode %s", v), 0);
        else if (!strcmp(a, "--sessions")) sessions = atoi(v);
        else if (!strcmp(a, "--parallel")) { parallel = atoi(v); par_set = 1; }
        else if (!strcmp(a, "--inflight")) inflight = atoi(v);
        else if (!strcmp(a, "--count")) count = atol(v);
        else if (!strcmp(a, "--warmup")) warmup = atol(v);
        else if (!strcmp(a, "--gap-us")) gap_us = atol(v);
        else if (!strcmp(a, "--lines")) nlines = atol(v);
        else if (!strcmp(a, "--repeat")) repeat = atol(v);
        else if (!strcmp(a, "--hold")) hold_s = atoi(v);
        else if (!strcmp(a, "--timeout")) timeout_s = atol(v);
        else if (!strcmp(a, "--label")) label = v;
        else if (!strcmp(a, "--header")) { if (nheaders < MAXHDR) headers[nheaders++] = v; }
        else if (!strcmp(a, "--query")) query = v;
        else if (!strcmp(a, "--subprotocol")) subproto = v;
        else if (!strcmp(a, "--send") || !strcmp(a, "--expect")) { if (nsteps < MAXSTEPS && asprintf(&steps[nsteps++], "%s:%s", a + 2, v) < 0) die("memory"); }
        else if (!strcmp(a, "--ready-cmd")) ready_cmd = v;
        else if (!strcmp(a, "--ready-reply")) ready_reply = v;
        else if (!strcmp(a, "--go")) go_fmt = v;
        else if (!strcmp(a, "--done")) done_reply = v;
        else if (!strcmp(a, "--server-pid")) server_pid = atoi(v);
        else if (!strcmp(a, "--engine-comm")) engine_comm = v;
        else die("unknown option %s", a);
    }
    if (transport < 0) die("where? (--ws, --tcp, --unix or --exec; see --help)");
    if (sessions < 1 || parallel < 1 || inflight < 1) die("numbers must be at least 1");
    if (mode == M_SETUP && !par_set) parallel = 1;
    if (inflight > sessions) inflight = sessions;
    signal(SIGPIPE, SIG_IGN); if (transport == T_EXEC) signal(SIGCHLD, SIG_IGN);
    struct rlimit rl; if (!getrlimit(RLIMIT_NOFILE, &rl)) { rl.rlim_cur = rl.rlim_max; setrlimit(RLIMIT_NOFILE, &rl); }
    S = calloc(sessions, sizeof *S); rbuf = malloc(RBUF); if (offer) zbuf = malloc(16 << 20);
    if (transport != T_EXEC) resolve();
    ep = epoll_create1(EPOLL_CLOEXEC); deadline = now_ns() + timeout_s * 1000000000LL;

    Usage u0 = usage(1); int64_t t0 = now_ns(); double g0 = cpu_self();
    /* 1. open the sessions */
    int opened = 0, closed_to = 0;
    while (done_setup + failed < sessions) {
        while (opened < sessions && opened - done_setup - failed < parallel) {
            open_sess(&S[opened++]);
            if (mode == M_HOLD && failed > 16) break;
        }
        if (mode == M_HOLD && failed > 16) break;
        if (done_setup + failed < sessions && !turn()) break;
        if (mode == M_SETUP && !keep) for (; closed_to < opened && S[closed_to].state == S_UP; closed_to++) { close(S[closed_to].rfd); if (S[closed_to].wfd != S[closed_to].rfd) close(S[closed_to].wfd); S[closed_to].state = S_DEAD; live--; }
    }
    int64_t t1 = now_ns(); double g1 = cpu_self(); Usage u1 = usage(1);
    static const char *tn[] = {"ws", "tcp", "exec"}, *mn[] = {"rtt", "throughput", "setup", "hold"};
    if (json) kv("label", "\"%s\"", label);
    kv("transport", json ? "\"%s\"" : "%s", tn[transport]); kv("mode", json ? "\"%s\"" : "%s", mn[mode]);
    kv("sessions", "%d", sessions); kv("up", "%d", done_setup); kv("failed", "%d", failed);
    if (offer) kv("deflate", offer > 0 ? "true" : "false");
    kv("open_s", "%.3f", (t1 - t0) / 1e9);
    double secs = 0; int64_t lines0 = total_lines, bytes0 = total_bytes, msgs0 = total_msgs, reads0 = total_reads, wire0 = wire_bytes;
    int64_t m0 = now_ns(); int timed_out = 0;
    /* 2. measure */
    if (mode == M_SETUP) { for (int i = 0; i < sessions; i++) if (S[i].setup_ns) add_sample(S[i].setup_ns); latency("setup"); }
    else if (mode == M_RTT && live) {
        probes_left = count + warmup; want_probes = inflight; long all = probes_left; issue_probes();
        while (probes_done < all && live) if (!turn()) { timed_out = 1; break; }
        secs = (now_ns() - m0) / 1e9; latency("rtt"); kv("probes_per_s", "%.0f", probes_done / secs); kv("inflight", "%d", inflight); kv("gap_us", "%ld", gap_us);
    } else if (mode == M_THROUGHPUT && live) {
        for (int i = 0; i < sessions; i++) if (S[i].state == S_UP) { gos_open++; send_go(&S[i]); }
        while (gos_open > 0 && live) if (!turn()) { timed_out = 1; break; }
        secs = (now_ns() - m0) / 1e9; int64_t l = total_lines - lines0;
        kv("lines", "%lld", (long long)l); kv("seconds", "%.4f", secs); kv("lines_per_s", "%.0f", l / secs);
        kv("mb_per_s", "%.2f", (total_bytes - bytes0) / secs / 1e6); kv("wire_mb", "%.2f", (wire_bytes - wire0) / 1e6);
        kv("lines_per_msg", "%.2f", total_msgs > msgs0 ? (double)l / (total_msgs - msgs0) : 0.0); kv("lines_per_read", "%.2f", (double)l / (total_reads - reads0 ? total_reads - reads0 : 1));
        kv("bad_checks", "%lld", (long long)bad_checks); latency("delay");
    } else if (mode == M_HOLD) {
        kv("held", "%d", live); int64_t until = now_ns() + hold_s * 1000000000LL, save = deadline;
        while (now_ns() < until) { deadline = until; if (!turn()) break; }
        deadline = save; kv("live_after_hold", "%d", live);
        warmup = 0; probes_left = live; long all = live; want_probes = inflight; issue_probes();
        while (probes_done < all && live) if (!turn()) { timed_out = 1; break; }
        latency("probe"); kv("answered", "%ld", probes_done);
    }
    double gm = cpu_self(); Usage u2 = usage(0);
    if (secs > 0) kv("gen_cpu_share", "%.3f", (gm - g1) / secs);
    if (mode == M_SETUP) kv("gen_cpu_s", "%.3f", g1 - g0);
    if (server_pid) {
        if (mode == M_SETUP) { kv("srv_cpu_ms_per_session", "%.3f", (u1.cpu - u0.cpu) * 1000 / (done_setup ? done_setup : 1)); }
        else { kv("srv_cpu_s", "%.2f", u2.cpu - u1.cpu); kv("eng_cpu_s", "%.2f", u2.ecpu - u1.ecpu); }
        if (mode == M_THROUGHPUT && total_lines > lines0) kv("srv_cpu_s_per_100k", "%.4f", (u2.cpu - u1.cpu) * 1e5 / (total_lines - lines0));
        kv("srv_rss0_kb", "%ld", u0.rss); kv("srv_pss0_kb", "%ld", u0.pss); kv("srv_rss_kb", "%ld", u1.rss); kv("srv_pss_kb", "%ld", u1.pss);
        if (done_setup) { kv("srv_rss_kb_per_session", "%.1f", (double)(u1.rss - u0.rss) / done_setup); kv("srv_pss_kb_per_session", "%.1f", (double)(u1.pss - u0.pss) / done_setup); kv("eng_pss_kb_per_session", "%.1f", (double)(u1.epss - u0.epss) / done_setup); }
        kv("srv_procs", "%ld", u1.procs); kv("srv_threads", "%ld", u1.threads); kv("srv_fds", "%ld", u1.fds); kv("eng_procs", "%ld", u1.eprocs);
    }
    kv("live_end", "%d", live); kv("timed_out", json ? (timed_out ? "true" : "false") : (timed_out ? "yes" : "no"));
    if (errmsg[0]) { for (char *c = errmsg; *c; c++) if (*c == '"' || *c == '\\') *c = '\''; kv("first_error", json ? "\"%s\"" : "%s", errmsg); }
    if (json) outn += snprintf(out + outn, sizeof out - outn, "}\n");
    fwrite(out, 1, outn, stdout);
    for (int i = 0; i < opened; i++) if (S[i].state != S_DEAD && S[i].state != S_FREE) { if (transport == T_WS && sessions <= 2048) ws_frame(&S[i], 8, "\x03\xe8", 2); close(S[i].wfd); if (S[i].rfd != S[i].wfd) close(S[i].rfd); }
    return done_setup == sessions && !timed_out && !bad_checks && live == (mode == M_SETUP && !keep ? 0 : done_setup) ? 0 : 1;
}
