public import BillfoldDiagnosis

/// What one mini program may open (mini-programs.md#what-may-be-opened). Nothing is allowed that is not listed.
public struct DeepLinkPolicy: Sendable, Hashable {
    /// Scene codes, in the documents' spelling.
    public var scenes: Set<String>
    /// Hosts of web pages: `pay.example.com` is that host, `.example.com` every host below it, `pay.example.com:8443` that port. Always
    /// https, but for `http://127.0.0.1:8080`, a page on this machine for tests.
    public var hosts: Set<String>
    /// Schemes of apps, in lower case: the super app's own and others'. Never `http`, `https` or a dangerous one.
    public var schemes: Set<String>
    /// Whether only a tap may open something: a script that runs by itself may not.
    public var needsGesture: Bool

    public init(scenes: Set<String> = [], hosts: Set<String> = [], schemes: Set<String> = [], needsGesture: Bool = true) {
        self.scenes = scenes
        self.hosts = hosts
        self.schemes = schemes
        self.needsGesture = needsGesture
    }

    /// Reads an address and holds it against the lists.
    /// - Parameters:
    ///   - text: As the mini program wrote it.
    ///   - webPage: Whether it must be a page (scene WEB_PAGE); otherwise an app's scheme is taken too.
    public func check(_ text: String, webPage: Bool) throws(DeepLinkRefusal) -> WebAddress {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard !WebAddress.dangerousSchemes.contains(scheme) else {
            throw DeepLinkRefusal(.dangerousScheme, "the scheme \(scheme) is never opened")
        }
        guard let address = WebAddress(text) else {
            throw DeepLinkRefusal(.unsafeAddress, "the address \(WebAddress.problem(of: text) ?? "cannot be read")")
        }
        if address.scheme == "https" {
            guard lists(address) else {
                throw DeepLinkRefusal(.hostNotListed, "the host \(address.host) is not listed for this mini program")
            }
            return address
        }
        if address.isLoopback, hosts.contains("http://\(address.host)\(address.port.map { ":\($0)" } ?? "")") { return address }
        guard !webPage, address.scheme != "http", schemes.contains(address.scheme) else {
            throw DeepLinkRefusal(.schemeNotListed, "the scheme \(address.scheme) is not listed for this mini program")
        }
        return address
    }

    private func lists(_ address: WebAddress) -> Bool {
        if let port = address.port, port != 443 { return hosts.contains("\(address.host):\(port)") }
        if hosts.contains(address.host) { return true }
        return hosts.contains { $0.hasPrefix(".") && address.host.hasSuffix($0) && address.host.utf8.count > $0.utf8.count }
    }
}

/// Why nothing was opened. A mini program gets 4 for what is not listed and 2 for what cannot be read.
public struct DeepLinkRefusal: CodedError, Hashable {
    /// A stable word; none is renamed or reused.
    public enum Code: String, Sendable, CaseIterable, CustomStringConvertible {
        case dangerousScheme = "dangerous-scheme"
        case unsafeAddress = "unsafe-address"
        case hostNotListed = "host-not-listed"
        case schemeNotListed = "scheme-not-listed"
        case sceneNotListed = "scene-not-listed"
        /// A scene's parameter that must be there is not.
        case missingParameter = "missing-parameter"
        /// No tap came before it.
        case noGesture = "no-gesture"
        /// The person was asked and said no.
        case declined
        /// The service did not open it: nothing takes it, or it failed.
        case notOpened = "not-opened"

        public var description: String { rawValue }
    }

    public var code: Code
    /// For the mini program's author.
    public var reason: String

    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code that the script's failing callback gets (mini-programs.md#calls; which one is inferred [I]).
    public var jsapiError: Int {
        switch code {
        case .missingParameter, .unsafeAddress: 2
        case .notOpened: 3
        default: 4
        }
    }
}
