import Foundation
import NIOCore
import NIOPosix

/// An address that a name led to.
public struct ResolvedAddress: Sendable, Hashable {
    /// Four or sixteen bytes.
    public var octets: [UInt8]

    public init(octets: [UInt8]) { self.octets = octets }

    public var isPublic: Bool { octets.count == 4 ? PublicAddress.isPublic(v4: octets) : PublicAddress.isPublic(v6: octets) }

    /// As a URL's host or a socket call takes it.
    public var text: String {
        if octets.count == 4 { return octets.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: octets.count, by: 2)
            .map { String(UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1]), radix: 16) }.joined(separator: ":")
    }
}

/// Finds every address of a name. A test passes one that answers differently each time.
public protocol NameResolver: Sendable {
    func addresses(of host: String) async throws -> [ResolvedAddress]
}

/// Asks the system, on a thread that may block.
public struct SystemNameResolver: NameResolver {
    public init() {}

    public func addresses(of host: String) async throws -> [ResolvedAddress] {
        try await NIOThreadPool.singleton.runIfActive { try Self.lookUp(host) }
    }

    private static func lookUp(_ host: String) throws -> [ResolvedAddress] {
        var hints = addrinfo()
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else {
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
