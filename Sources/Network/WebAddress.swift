import CCurl

/// The parts of a URL as curl itself reads it, so that what is checked is what will be called.
///
/// https://curl.se/libcurl/c/libcurl-url.html
public struct WebAddress: Sendable, Equatable {
    /// In lower case.
    public let scheme: String
    /// Whether it holds a user name or a password.
    public let hasUser: Bool
    /// Without the brackets of an IPv6 address.
    public let host: String
    /// Nil where the URL names none.
    public let port: Int?
    /// Empty where nothing stands behind host and port, or nothing but a slash.
    public let path: String

    /// Nil for what is no URL with a scheme and a host.
    public init?(_ text: String) {
        // curl makes do with fewer slashes, and with more.
        guard text.contains("://"), !text.contains(":///"), let url = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(url) }
        // What may stand for a scheme is for whoever asks to say.
        guard unsafe curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK else {
            return nil
        }
        let part = { (what: CURLUPart) -> String? in
            var part: UnsafeMutablePointer<CChar>?
            guard unsafe curl_url_get(url, what, &part, 0) == CURLUE_OK, let part = unsafe part else { return nil }
            defer { unsafe curl_free(part) }
            return unsafe String(cString: part)
        }
        guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST), !host.isEmpty else { return nil }
        self.scheme = scheme
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        hasUser = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
        port = part(CURLUPART_PORT).flatMap { Int($0) }
        let path = part(CURLUPART_PATH) ?? ""
        self.path = path == "/" ? "" : path
        if port == 0 { return nil }
    }
}
