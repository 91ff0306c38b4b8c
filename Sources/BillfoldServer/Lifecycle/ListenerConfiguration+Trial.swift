import BillfoldStorage
import HTTPTypes
import NIOCore
import NIOPosix

extension ListenerConfiguration {
    /// Refuses what listeners of these configurations could not begin with: certificates that cannot be used, addresses that are taken,
    /// also by one another. It leaves nothing behind. Somebody may take an address afterwards: the listener itself then refuses.
    ///
    /// - Throws: ``ServerError`` with `certificate-unusable`, `key-store-exposed`, `port-taken` or `address-unusable`.
    package static func tryOut(_ listeners: [Self]) async throws {
        for listener in listeners {
            if let tls = listener.tls { _ = try ServerCertificate(tls, clock: SystemClock()) }
        }
        var held: [any Channel] = []
        var refusal: (any Error)?
        do {
            for listener in listeners { held.append(try await listener.bind()) }
        } catch { refusal = error }
        for channel in held { try? await channel.close() }
        if let refusal { throw refusal }
    }

    private func bind() async throws -> any Channel {
        do {
            return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: address.host, port: address.port).get()
        } catch { throw refusal(of: error) ?? error }
    }

    /// Why the address cannot be listened on, in our codes; `nil` for an error that says something else.
    func refusal(of error: any Error) -> ServerError? {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE: refusal(.portTaken, "\(address) is already in use")
        case let error as IOError where [EACCES, EADDRNOTAVAIL, EPERM].contains(error.errnoCode):
            refusal(.addressUnusable, "\(address) cannot be listened on here")
        case is SocketAddressError: refusal(.addressUnusable, "'\(address.host)' is no address of this machine")
        default: nil
        }
    }

    private func refusal(_ code: ServerError.Code, _ reason: String) -> ServerError {
        ServerError(code: code, reason: "\(name): \(reason)", status: .internalServerError)
    }
}
