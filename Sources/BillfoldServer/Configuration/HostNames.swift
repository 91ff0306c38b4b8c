/// The hosts that a listener answers for.
///
/// On loopback those are the machine's own names and the ones it was told; elsewhere the ones it was told, and any where that is none.
struct HostNames: Sendable {
    private let isLoopback: Bool
    private let hosts: Set<String>

    init(_ configuration: ListenerConfiguration) {
        isLoopback = configuration.address.isLoopback
        hosts = Set(configuration.hosts.map { $0.lowercased() })
    }

    /// - Parameter host: In lower case, without a port.
    func contains(_ host: String) -> Bool {
        if hosts.contains(host) { return true }
        return isLoopback ? LoopbackHost.contains(host) : hosts.isEmpty
    }

    /// The host of `host`, `host:port` or `[v6]:port`; `nil` for anything else.
    static func host(of authority: String) -> String? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || (rest.first == ":" && rest.dropFirst().allSatisfy(\.isNumber)) else { return nil }
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts[0].isEmpty, parts.count == 1 || UInt16(parts[1]) != nil else { return nil }
        return String(parts[0])
    }
}
