import BillfoldServer

/// Where an acquirer is told what happened, and where its customers are sent back to: what it has registered, and nothing else.
///
/// Registered are its ``Acquirer/privateOrigins``, its ``Acquirer/addresses`` and the origin of its ``Acquirer/notifyURL``.
struct CallbackAddresses {
    private let acquirer: Acquirer
    private let policy: AddressPolicy

    init(_ acquirer: Acquirer, _ policy: AddressPolicy) {
        self.acquirer = acquirer
        self.policy = policy
    }

    /// What is wrong with a web address; nil where nothing is.
    func problem(with url: String) -> String? {
        let own = Set(acquirer.privateOrigins)
        if AddressPolicy.isURL(url, at: own) { return nil }
        if let problem = policy.problem(with: url, registered: own) { return problem }
        let registered = Set((acquirer.addresses ?? []) + [acquirer.notifyURL].compactMap { $0 })
        if AddressPolicy.isURL(url, at: registered) { return nil }
        // What is registered is the acquirer's own to know.
        let known = own.union(registered.filter { !$0.hasSuffix(":") }).sorted().joined(separator: ", ")
        return "it lies at none of the registered addresses" + (known.isEmpty ? "" : " (\(known))")
    }

    /// What is wrong with an address that people are sent back to, which may also be of an app's own scheme.
    func problem(returning url: String) -> String? {
        guard let scheme = Self.scheme(of: url) else { return "it is no address" }
        if ["http", "https"].contains(scheme) { return problem(with: url) }
        return acquirer.addresses?.contains("\(scheme):") ?? false ? nil : "its scheme is not registered"
    }

    /// Whether an acquirer may register it: an origin without a path, or an app's own scheme with its colon.
    static func isRegistrable(_ address: String) -> Bool {
        guard let scheme = scheme(of: address) else { return false }
        if ["http", "https"].contains(scheme) { return address.wholeMatch(of: /https?:\/\/[A-Za-z0-9.\-\[\]:]+/) != nil }
        return address == "\(scheme):" && !spoken.contains(scheme)
    }

    /// Schemes that browsers act on themselves: no app's own.
    private static let spoken: Set<String> = [
        "about", "blob", "content", "data", "file", "filesystem", "ftp", "intent", "javascript", "mailto", "sms", "tel", "vbscript",
        "view-source", "ws", "wss",
    ]

    /// In lower case, before the first colon.
    private static func scheme(of url: String) -> String? {
        let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
        guard scheme.endIndex != url.utf8.endIndex, let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e].contains($0) })
        else { return nil }
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }
}
