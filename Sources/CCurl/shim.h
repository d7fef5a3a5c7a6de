// libcurl as Swift can call it: `curl_easy_setopt` and its like are variadic, so each form that is used gets a name.
#pragma once
#include <curl/curl.h>

typedef size_t (*ccurl_write)(char *bytes, size_t size, size_t count, void *owner);
typedef curl_socket_t (*ccurl_opensocket)(void *owner, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*ccurl_prereq)(void *owner, char *ip, char *local_ip, int port, int local_port);

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_write(CURL *easy, CURLoption option, ccurl_write value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_opensocket(CURL *easy, ccurl_opensocket value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode ccurl_set_prereq(CURL *easy, ccurl_prereq value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode ccurl_get_socket(CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}
static inline CURLcode ccurl_get_connect_code(CURL *easy, long *value) {
    return curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, value);
}
static inline CURLcode ccurl_get_certinfo(CURL *easy, struct curl_certinfo **value) {
    return curl_easy_getinfo(easy, CURLINFO_CERTINFO, value);
}
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode ccurl_multi_set_socket(CURLM *multi, curl_socket_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}
static inline CURLMcode ccurl_multi_set_timer(CURLM *multi, curl_multi_timer_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}
static const curl_socket_t ccurl_socket_timeout = CURL_SOCKET_TIMEOUT;
