/// Says by its address alone whether a scanned code belongs to somebody: all hosts below a few domains, over https, without any trick.
///
/// A super app that scans for a mini program should let Alipay+'s codes through (mini-programs.md#alipay-codes [D]). Whoever may print a
/// code may write anything into it, so look-alikes are refused: another domain that begins or ends like one of these, a user before the
/// host, a port, a name in letters that only look like these, an escape in the host, a dot behind it, an address without https. Upper
/// case is taken, since codes are often written so, and only after nothing but ASCII was found.
///
/// The rule tells whose code it is and not what it does: the address is still held against a mini program's ``DeepLinkPolicy`` before it
/// is opened.
public struct CodeLinkRule: Sendable, Hashable {
    /// The codes of Alipay+: hosts below `alipayplus.com`.
    ///
    /// The document spells the domain `*.alipaypus.com` [D], which cannot be meant [I] and which anybody may own: it is refused.
    public static let alipayPlus = CodeLinkRule(domains: ["alipayplus.com"])

    /// Domains in lower case. A host below one of them fits, the domain itself does not.
    public let domains: Set<String>

    /// - Parameter domains: Domains such as `alipayplus.com`, in any case, without `*.`. One that is no plain name never fits.
    public init(domains: Set<String>) { self.domains = Set(domains.map { $0.lowercased() }) }

    /// Whether a scanned text is such a code.
    public func accepts(_ text: String) -> Bool { refusal(of: text) == nil }

    /// Whether what a scanner answered is such a code; never where it answered an error.
    public func accepts(_ result: IAPWalletScannerResult) -> Bool { result.failure == nil && result.code.map(accepts) == true }

    /// Why a scanned text is no such code, for a log line; nil where it is one. The text itself is not repeated.
    public func refusal(of text: String) -> String? {
        guard let address = WebAddress(text) else { return "the address \(WebAddress.problem(of: text) ?? "cannot be read")" }
        guard address.scheme == "https" else { return "the address is not https" }
        // Also where it is https's own: no printed code names it.
        guard address.port == nil else { return "the address names a port" }
        let labels = address.host.split(separator: ".")
        guard !labels.contains(where: { $0.hasPrefix("xn--") }) else { return "the host has a name in other letters" }
        guard !labels.contains(where: { $0.hasPrefix("-") || $0.hasSuffix("-") }) else { return "the host has no plain names" }
        guard domains.contains(where: { address.host.hasSuffix(".\($0)") }) else { return "the host lies below none of the domains" }
        return nil
    }
}
