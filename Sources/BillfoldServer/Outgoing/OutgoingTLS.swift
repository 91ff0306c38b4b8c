public import BillfoldDiagnosis
import HTTPTypes
package import NIOSSL

/// Whom a client believes, and who it says it is, when it connects with TLS.
public struct OutgoingTLS: Sendable {
    /// TLS 1.2 and later with forward secrecy, the system's roots, no certificate of our own.
    public static let standard = OutgoingTLS(configuration: client())

    package private(set) var configuration: TLSConfiguration

    private init(configuration: TLSConfiguration) { self.configuration = configuration }

    private static func client() -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.requireForwardSecrecy()
        return configuration
    }

    /// - Parameters:
    ///   - roots: PEM; believed instead of the system's roots. `nil` for the system's.
    ///   - certificates: Our own certificate first, then its issuers, PEM; for mutual TLS.
    ///   - privateKey: Its key, PKCS#8 in PEM.
    ///
    /// Refuses with `certificate-unusable` what cannot be read.
    public init(roots: [UInt8]? = nil, certificates: [UInt8] = [], privateKey: Secret<[UInt8]>? = nil) throws(ServerError) {
        do {
            var configuration = Self.client()
            if let roots {
                let certificates = try NIOSSLCertificate.fromPEMBytes(roots)
                guard !certificates.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
                configuration.trustRoots = .certificates(certificates)
            }
            if let privateKey {
                configuration.certificateChain = try NIOSSLCertificate.fromPEMBytes(certificates).map { .certificate($0) }
                configuration.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: privateKey.reveal(), format: .pem))
            }
            self.configuration = configuration
        } catch {
            throw ServerError(
                code: .certificateUnusable, reason: "a certificate or key for outgoing connections cannot be read as PEM",
                status: .internalServerError)
        }
    }
}

/// Sends each request over a connection of its own, for credentials that may change and requests that are rare.
public struct OneShotHTTPSender: HTTPSender {
    private let policy: AddressPolicy
    private let tls: OutgoingTLS

    public init(policy: AddressPolicy, tls: OutgoingTLS) {
        self.policy = policy
        self.tls = tls
    }

    public func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        let sender = AsyncHTTPSender(policy: policy, tls: tls)
        do throws(SendFailure) {
            let answer = try await sender.send(request)
            try? await sender.shutdown()
            return answer
        } catch {
            try? await sender.shutdown()
            throw error
        }
    }
}
