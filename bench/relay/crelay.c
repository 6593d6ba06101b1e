/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crelay.c - the floor: a one-thread epoll WebSocket relay in C, one engine process a connection.
 *   gcc -O2 -o crelay crelay.c ; ./crelay PORT ENGINE [tcp]
 * One line = one text message; a chunk's frames leave in one write; no features, no limits. Benchmark only. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
typedef struct Sess Sess;
typedef struct { Sess *s; int is_engine; } Ref;
struct Sess { Ref sock, eng; int fd, in, out, up, dead; pid_t pid; char ibuf[4096]; int in_n; char *rest; int rest_n; char *back; size_t back_n; Sess *next; };
static int ep, tcp; static const char *engine; static char chunk[65536 * 2], obuf[65536 * 6]; static Sess *grave;
static uint32_t rol(uint32_t x, int n) { return x << n | x >> (32 - n); }
static void sha1(const unsigned char *m, size_t n, unsigned char *o) {
    uint32_t h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}; unsigned char b[256] = {0};
    memcpy(b, m, n); b[n] = 0x80; size_t t = (n + 9 + 63) / 64 * 64; for (int i = 0; i < 8; i++) b[t - 1 - i] = (uint64_t)n * 8 >> 8 * i;
    for (size_t k = 0; k < t; k += 64) {
        uint32_t w[80], a = h[0], B = h[1], c = h[2], d = h[3], e = h[4];
        for (int i = 0; i < 16; i++) w[i] = (uint32_t)b[k + 4 * i] << 24 | b[k + 4 * i + 1] << 16 | b[k + 4 * i + 2] << 8 | b[k + 4 * i + 3];
        for (int i = 16; i < 80; i++) w[i] = rol(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        for (int i = 0; i < 80; i++) {
            uint32_t f, q; if (i < 20) f = (B & c) | (~B & d), q = 0x5A827999; else if (i < 40) f = B ^ c ^ d, q = 0x6ED9EBA1; else if (i < 60) f = (B & c) | (B & d) | (c & d), q = 0x8F1BBCDC; else f = B ^ c ^ d, q = 0xCA62C1D6;
            uint32_t x = rol(a, 5) + f + e + q + w[i]; e = d; d = c; c = rol(B, 30); B = a; a = x; }
        h[0] += a; h[1] += B; h[2] += c; h[3] += d; h[4] += e;
    }
    for (int i = 0; i < 20; i++) o[i] = h[i / 4] >> 8 * (3 - i % 4);
}
static void mod(int fd, Ref *r, uint32_t ev, int op) { struct epoll_event e = {.events = ev, .data.ptr = r}; epoll_ctl(ep, op, fd, &e); }
static void die_sess(Sess *s) { if (s->dead) return; s->dead = 1; close(s->fd); if (s->up) { close(s->in); close(s->out); kill(s->pid, SIGKILL); } s->next = grave; grave = s; }
static void start(Sess *s) {
    int a[2], b[2]; if (pipe2(a, O_CLOEXEC) || pipe2(b, O_CLOEXEC)) { die_sess(s); return; }
    posix_spawn_file_actions_t fa; posix_spawn_file_actions_init(&fa); posix_spawn_file_actions_adddup2(&fa, a[0], 0); posix_spawn_file_actions_adddup2(&fa, b[1], 1);
    char *av[] = {(char *)engine, 0}; posix_spawn(&s->pid, engine, &fa, 0, av, environ); posix_spawn_file_actions_destroy(&fa);
    close(a[0]); close(b[1]); s->in = a[1]; s->out = b[0]; s->up = 1; fcntl(s->out, F_SETFL, O_NONBLOCK); mod(s->out, &s->eng, EPOLLIN, EPOLL_CTL_ADD);
}
static void out(Sess *s, const char *b, size_t n) {
    if (!s->back_n) { ssize_t w = write(s->fd, b, n); if (w < 0) { if (errno != EAGAIN) { die_sess(s); return; } w = 0; } b += w; n -= w; if (!n) return;
        mod(s->fd, &s->sock, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD); mod(s->out, &s->eng, 0, EPOLL_CTL_MOD); }
    s->back = realloc(s->back, s->back_n + n); memcpy(s->back + s->back_n, b, n); s->back_n += n;
}
static void drain(Sess *s) {
    ssize_t w = write(s->fd, s->back, s->back_n); if (w < 0) { if (errno != EAGAIN) die_sess(s); return; }
    s->back_n -= w; memmove(s->back, s->back + w, s->back_n); if (s->back_n) return;
    free(s->back); s->back = 0; mod(s->fd, &s->sock, EPOLLIN, EPOLL_CTL_MOD); mod(s->out, &s->eng, EPOLLIN, EPOLL_CTL_MOD);
}
static void from_engine(Sess *s) {
    if (s->rest_n) memcpy(chunk, s->rest, s->rest_n);
    ssize_t n = read(s->out, chunk + s->rest_n, 65536); if (n <= 0) { if (n == 0) die_sess(s); return; }
    n += s->rest_n; char *p = chunk, *e = chunk + n, *q; size_t o = 0;
    while (p < e && (q = memchr(p, '\n', e - p))) {
        size_t l = q - p;
        if (tcp) { memcpy(obuf + o, p, l + 1); o += l + 1; p = q + 1; continue; }
        obuf[o++] = (char)0x81; if (l < 126) obuf[o++] = l; else { obuf[o++] = 126; obuf[o++] = l >> 8; obuf[o++] = l; }
        memcpy(obuf + o, p, l); o += l; p = q + 1;
    }
    s->rest_n = e - p; if (s->rest_n) { if (s->rest_n > 60000) { die_sess(s); return; } s->rest = realloc(s->rest, s->rest_n); memcpy(s->rest, p, s->rest_n); } else { free(s->rest); s->rest = 0; }
    if (o) out(s, obuf, o);
}
static void upgrade(Sess *s) {
    s->ibuf[s->in_n] = 0; char *e = strstr(s->ibuf, "\r\n\r\n"), *k = strcasestr(s->ibuf, "Sec-WebSocket-Key: "); if (!e) return; if (!k) { die_sess(s); return; }
    unsigned char d[20], m[64]; int n = snprintf((char *)m, 64, "%.24s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", k + 19); sha1(m, n, d);
    static const char A[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"; char acc[29]; unsigned char z[21] = {0}; memcpy(z, d, 20);
    for (int i = 0; i < 7; i++) { uint32_t v = z[3 * i] << 16 | z[3 * i + 1] << 8 | z[3 * i + 2]; for (int j = 0; j < 4; j++) acc[4 * i + j] = A[v >> 6 * (3 - j) & 63]; } acc[27] = '='; acc[28] = 0;
    char r[256]; n = snprintf(r, 256, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n", acc);
    s->in_n -= e + 4 - s->ibuf; memmove(s->ibuf, e + 4, s->in_n); start(s); if (!s->dead && write(s->fd, r, n) != n) die_sess(s);
}
static void from_client(Sess *s) {
    ssize_t n = read(s->fd, s->ibuf + s->in_n, sizeof s->ibuf - 1 - s->in_n); if (n <= 0) { if (n == 0 || errno != EAGAIN) die_sess(s); return; }
    s->in_n += n; if (!s->up) { upgrade(s); if (!s->up || s->dead) return; }
    if (tcp) { if (write(s->in, s->ibuf, s->in_n) < 0) die_sess(s); s->in_n = 0; return; }
    int o = 0; char w[4096]; int wn = 0;
    while (s->in_n - o >= 6) {
        unsigned char *p = (unsigned char *)s->ibuf + o; int l = p[1] & 127, h = 2; if (l == 126) { h = 4; l = p[2] << 8 | p[3]; } if (l > 3900) { die_sess(s); return; }
        if (s->in_n - o < h + 4 + l) break; if ((p[0] & 15) == 8) { die_sess(s); return; }
        if ((p[0] & 15) == 1) { for (int i = 0; i < l; i++) w[wn++] = p[h + 4 + i] ^ p[h + (i & 3)]; w[wn++] = '\n'; } o += h + 4 + l;
    }
    s->in_n -= o; memmove(s->ibuf, s->ibuf + o, s->in_n); if (wn && write(s->in, w, wn) < 0) die_sess(s);
}
int main(int c, char **v) {
    if (c < 3) return 2;
    engine = v[2]; tcp = c > 3; signal(SIGPIPE, SIG_IGN); signal(SIGCHLD, SIG_IGN);
    int l = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), one = 1; struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(v[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one); if (bind(l, (void *)&a, sizeof a) || listen(l, 1024)) return 1;
    ep = epoll_create1(EPOLL_CLOEXEC); mod(l, 0, EPOLLIN, EPOLL_CTL_ADD);
    for (;;) {
        struct epoll_event ev[128]; int n = epoll_wait(ep, ev, 128, -1);
        for (int i = 0; i < n; i++) {
            Ref *r = ev[i].data.ptr;
            if (!r) { int fd = accept4(l, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK); if (fd < 0) continue; setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                Sess *s = calloc(1, sizeof *s); s->sock = (Ref){s, 0}; s->eng = (Ref){s, 1}; s->fd = fd; mod(fd, &s->sock, EPOLLIN, EPOLL_CTL_ADD); if (tcp) start(s); continue; }
            Sess *s = r->s; if (s->dead) continue;
            if (r->is_engine) from_engine(s); else { if (ev[i].events & EPOLLOUT) drain(s); if (!s->dead && ev[i].events & ~EPOLLOUT) from_client(s); }
        }
        while (grave) { Sess *s = grave; grave = s->next; free(s->rest); free(s->back); free(s); }
    }
}
