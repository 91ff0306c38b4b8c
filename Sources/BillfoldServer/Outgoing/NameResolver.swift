import Foundation

/// An address that a name led to.
package struct ResolvedAddress: Sendable, Hashable {
    /// Four or sixteen bytes.
    package var octets: [UInt8]

    package init(octets: [UInt8]) { self.octets = octets }

    package var isPublic: Bool { octets.count == 4 ? PublicAddress.isPublic(v4: octets) : PublicAddress.isPublic(v6: octets) }

    /// As a URL's host or a socket call takes it.
    package var text: String {
        if octets.count == 4 { return octets.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: octets.count, by: 2)
            .map { String(UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1]), radix: 16) }.joined(separator: ":")
    }
}

/// Finds every address of a name. A test passes one that answers differently each time.
package protocol NameResolver: Sendable {
    func addresses(of host: String) async throws -> [ResolvedAddress]
}

/// Asks the system, on threads of their own: it waits long for name servers that are silent, and nobody can stop it.
///
/// The names of one site share few threads, so that whoever registers addresses at silent name servers waits for itself.
package struct SystemNameResolver: NameResolver {
    private let pool: WorkPool
    private let limit: Duration
    private let lookUp: @Sendable (String) throws -> [ResolvedAddress]

    /// - Parameter limit: What one look-up may take, with its wait for a thread.
    package init(limit: Duration = .seconds(5)) { self.init(pool: .nameLookUps, limit: limit, lookUp: Self.ask) }

    /// - Parameter lookUp: Asks, and may block.
    package init(pool: WorkPool, limit: Duration, lookUp: @escaping @Sendable (String) throws -> [ResolvedAddress]) {
        self.pool = pool
        self.limit = limit
        self.lookUp = lookUp
    }

    /// Throws ``SendFailure``: `name-unknown` for a name that leads nowhere, `name-unanswered` where nobody says so, `look-ups-busy` without
    /// a place for the look-up.
    package func addresses(of host: String) async throws -> [ResolvedAddress] {
        do {
            return try await pool.run(for: Self.site(of: host), within: limit) { [lookUp] _ in try lookUp(host) }
        } catch let error as ServerError where error.code == .deadlineExceeded {
            throw SendFailure(code: .nameUnanswered, reason: "nobody says where \(host) leads", mayHaveArrived: false)
        } catch is ServerError {
            throw SendFailure(code: .lookUpsBusy, reason: "\(host) is not looked up: too many look-ups wait", mayHaveArrived: false)
        }
    }

    /// What one owner has, who makes up as many names below it as it likes: the last two labels, and three where registries hand out
    /// names below the second, as in `com.cn`. Domains of countries do that under these labels (publicsuffix.org lists them); whoever shares
    /// one that is not listed here shares its threads.
    static func site(of host: String) -> String {
        let labels = host.lowercased().split(separator: ".")
        let isRegistrys = labels.count > 2 && labels[labels.count - 1].utf8.count == 2 && registryLabels.contains(labels[labels.count - 2])
        return labels.suffix(isRegistrys ? 3 : 2).joined(separator: ".")
    }

    private static let registryLabels: Set<Substring> = [
        "ac", "biz", "co", "com", "ed", "edu", "firm", "game", "gen", "go", "gob", "gov", "gr", "id", "idv", "in", "ind", "info", "lg",
        "ltd",
        "me", "mil", "ne", "net", "nom", "or", "org", "plc", "re", "sch", "web",
    ]

    private static func ask(_ host: String) throws -> [ResolvedAddress] {
        var hints = addrinfo()
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else {
            // These are about name servers and this machine, not about the name.
            guard ![EAI_AGAIN, EAI_MEMORY, EAI_SYSTEM].contains(status) else {
                throw SendFailure(code: .nameUnanswered, reason: "nobody says where \(host) leads", mayHaveArrived: false)
            }
            throw SendFailure(code: .nameUnknown, reason: "the name \(host) leads nowhere", mayHaveArrived: false)
        }
        defer { freeaddrinfo(list) }
        var found: [ResolvedAddress] = []
        var next = list
        while let entry = next {
            next = entry.pointee.ai_next
            guard let address = entry.pointee.ai_addr else { continue }
            // The address lies at the same place in either structure on every system: after family and port, and for IPv6
            // after the flow label too.
            let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))
            switch entry.pointee.ai_family {
            case AF_INET where bytes.count >= 8: found.append(ResolvedAddress(octets: Array(bytes[4..<8])))
            case AF_INET6 where bytes.count >= 24: found.append(ResolvedAddress(octets: Array(bytes[8..<24])))
            default: continue
            }
        }
        return found
    }
}
