import BillfoldDiagnosis
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoPKCS11

/// A SoftHSM token with a zone key and an RSA key, and a file with its PIN.
final class ExampleToken: Sendable {
    static var isInstalled: Bool { SoftToken.module != nil }

    let module: String
    let label: String
    let publicKey: PublicKey
    private let folder: TemporaryFolder

    var pinFile: String { folder.path("pin") }

    init(zoneKey: [UInt8]) async throws {
        let token = try SoftToken.take()
        label = token.label
        publicKey = token.rsaKey.publicKey
        module = SoftToken.module ?? ""
        folder = try TemporaryFolder()
        try SoftToken.pin.write(toFile: folder.path("pin"), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("pin"))
        var configuration = PKCS11Token.Configuration(module: module, label: label, pin: SecretPIN(Secret(SoftToken.pin)))
        configuration.isReadWrite = true
        let opened = try await PKCS11Token(configuration)
        try await PKCS11KeyStore(token: opened).importTripleDESKey("405551.1", SecretBytes(zoneKey))
        await opened.close()
    }
}
