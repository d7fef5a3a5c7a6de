import CCurl
import Runtime

/// One curl easy handle with what it points to: its header list and the error text.
///
/// curl copies strings, but not lists, buffers or callback arguments; they live as long as this object.
@NetworkThread
@safe
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var connectTimeout: Duration?
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var recipients: UnsafeMutablePointer<curl_slist>?

    /// Tells handles apart; another may have the same once this one is gone.
    var address: Int { unsafe Int(bitPattern: pointer) }

    init() {
        guard let pointer = unsafe curl_easy_init() else { LastWord.say("no memory is left for a transfer") }
        unsafe self.pointer = unsafe pointer
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
        set(CURLOPT_NOSIGNAL, 1)
        // Else a slow resolver holds up the whole loop when a look-up is given up.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    }

    isolated deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(headers)
        unsafe curl_slist_free_all(recipients)
        unsafe errorText.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) { unsafe ccurl_set_long(pointer, option, value) }

    func set(_ option: CURLoption, _ value: String) { unsafe ccurl_set_string(pointer, option, value) }

    /// Milliseconds, and at least one: zero would mean curl's own default.
    func set(_ option: CURLoption, _ value: Duration) { set(option, Int(max(1, value.wholeMilliseconds))) }

    /// From when curl begins until the connection stands, with its handshakes.
    func setConnectTimeout(_ timeout: Duration) {
        connectTimeout = timeout
        set(CURLOPT_CONNECTTIMEOUT_MS, timeout)
    }

    /// Gives so much more time: curl looks at the option anew whenever it looks at its clock.
    func addConnectTime(_ more: Duration) { if let connectTimeout { setConnectTimeout(connectTimeout + more) } }

    /// Nobody's proxy but the one that is given: the environment has no say (`CURLOPT_PROXY`, `CURLOPT_NOPROXY`).
    ///
    /// With `isolation` a SOCKS5 proxy that is to look names up, and has no credentials of its own, gets a user name that
    /// means nothing to it: Tor gives each name streams of its own (`IsolateSOCKSAuth`), others do not ask for one.
    func setProxy(_ proxy: String?, isolation: String? = nil) {
        set(CURLOPT_PROXY, proxy ?? "")
        set(CURLOPT_NOPROXY, "")
        guard let proxy else { return }
        set(CURLOPT_HTTPPROXYTUNNEL, 1)
        if let isolation, let address = WebAddress(proxy), address.scheme == "socks5h", !address.hasUser {
            set(CURLOPT_PROXYUSERNAME, isolation)
            set(CURLOPT_PROXYPASSWORD, Self.isolationPassword)
        }
    }

    /// Another one in each process, so that two bots behind one Tor have nothing in common.
    private static let isolationPassword = String(UInt64.random(in: .min ... .max), radix: 36)

    /// An HTTP proxy was asked for a tunnel and said no.
    var isTunnelRefused: Bool {
        var code = 0
        return unsafe ccurl_get_connect_code(pointer, &code) == CURLE_OK && code >= 300
    }

    /// These authorities, and none of the system's.
    func setAuthorities(_ caFile: String) {
        set(CURLOPT_CAINFO, caFile)
        unsafe ccurl_set_string(pointer, CURLOPT_CAPATH, nil)
    }

    func setHeaders(_ lines: [String]) {
        for line in lines { unsafe headers = unsafe curl_slist_append(headers, line) }
        unsafe ccurl_set_pointer(pointer, CURLOPT_HTTPHEADER, headers)
    }

    /// To whom a mail goes.
    func setRecipient(_ address: String) {
        unsafe recipients = unsafe curl_slist_append(recipients, address)
        unsafe ccurl_set_pointer(pointer, CURLOPT_MAIL_RCPT, recipients)
    }

    /// What went wrong, in curl's own words, which name hosts and certificates and no secrets.
    func explain(_ result: CURLcode) -> String {
        let detailed = unsafe String(cString: errorText)
        return detailed.isEmpty ? unsafe String(cString: curl_easy_strerror(result)) : detailed
    }
}
