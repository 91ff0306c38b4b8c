import AsyncHTTPClient
import BillfoldServer
import Crypto
import Foundation
import Hummingbird
import NIOSSL
import SwiftASN1
import Testing
import X509

@Suite struct TLSTests {
    /// A self-signed certificate for `localhost`, as PEM files in a folder of their own.
    private func identity() throws -> (TLSIdentity, NIOSSLCertificate, folder: URL) {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
            notValidBefore: Date().addingTimeInterval(-60),
            notValidAfter: Date().addingTimeInterval(3_600), issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions { SubjectAlternativeNames([.dnsName("localhost")]) }, issuerPrivateKey: .init(key))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-tls-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let chain = folder.appendingPathComponent("chain.pem")
        let keyFile = folder.appendingPathComponent("key.pem")
        let pem = try certificate.serializeAsPEM().pemString
        try pem.write(to: chain, atomically: true, encoding: .utf8)
        try key.pemRepresentation.write(to: keyFile, atomically: true, encoding: .utf8)
        return (
            TLSIdentity(certificateChainPath: chain.path, privateKeyPath: keyFile.path),
            try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem), folder
        )
    }

    @Test func aListenerWithACertificateSpeaksTLSAndNothingElse() async throws {
        let (identity, root, folder) = try identity()
        defer { try? FileManager.default.removeItem(at: folder) }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([root])
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .init(tlsConfiguration: tls))
        do {
            try await RunningServer.with(tls: identity, routes: { $0.get("/x") { _, _ in "over TLS" } }) { server in
                let port = try #require(server.ports["public"])
                let answer = try await Answer.send("GET", "https://localhost:\(port)/x", client: client)
                #expect(answer.status == 200)
                #expect(answer.body == "over TLS")
                #expect(answer.headers["strict-transport-security"] != nil)
                let plain = try await RawConnection.exchange(port: port, pieces: ["GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n"])
                #expect(!plain.contains("over TLS"))
            }
        } catch {
            try? await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }
}
