import BillfoldServer
import Foundation
import PaymentCrypto
import PaymentCryptoPKCS11
import ProvisioningServer

/// An issuer's file where it lies: the paths in it are relative to it.
struct IssuerFileOnDisk {
    let path: String
    let file: IssuerFile

    /// Refuses with `configuration-invalid`.
    init(_ path: String) throws {
        self.path = path
        file = try IssuerFile(ConfigurationFile.bytes(path))
    }

    func place(_ name: String) -> String {
        URL(fileURLWithPath: name, relativeTo: URL(fileURLWithPath: path).deletingLastPathComponent()).path
    }

    func keyFolder(_ encryption: KeyEncryption?, takesPlain: Bool) throws -> IssuerKeyFolder {
        IssuerKeyFolder(
            folder: try DataFolder(place(file.keyFolder), encryption: encryption), encryption: encryption, takesPlain: takesPlain)
    }

    /// The token, where the file names one. Throws `key-store-unavailable` or `key-store-exposed`.
    func token(isReadWrite: Bool = false) async throws -> PKCS11Token? {
        guard let token = file.token else { return nil }
        var configuration = PKCS11Token.Configuration(
            module: token.module, label: token.label, pin: try SecretPIN(file: place(token.pin)))
        configuration.isReadWrite = isReadWrite
        return try await PKCS11Token(configuration)
    }
}

/// The keys that an issuer's file names, wherever they are held.
struct IssuerKeys: Sendable {
    /// What may have been changed when it differs: the file, and which keys lie in the folder.
    struct State: Hashable {
        fileprivate var file: [UInt8]
        fileprivate var held: [IssuerKeyFolder.Held]
    }

    struct Loaded {
        var networks: NetworkKeys
        /// The newest first.
        var decision: [P256PrivateKey]
    }

    let path: String
    let folder: IssuerKeyFolder
    let token: PKCS11KeyStore?
    private let place: [String?]

    init(_ disk: IssuerFileOnDisk, _ encryption: KeyEncryption?, takesPlain: Bool) async throws {
        path = disk.path
        folder = try disk.keyFolder(encryption, takesPlain: takesPlain)
        token = try await disk.token().map(PKCS11KeyStore.init)
        place = Self.place(disk.file)
    }

    private static func place(_ file: IssuerFile) -> [String?] {
        [file.keyFolder, file.token?.module, file.token?.label, file.token?.pin]
    }

    /// What holds zone keys and signing keys.
    var networkStore: any IssuerKeyStore { token ?? folder }

    var state: State { get throws { State(file: try ConfigurationFile.bytes(path), held: try folder.held) } }

    /// Opens every key that the file names. Refuses all of them where one is missing or cannot be used, with `keys-not-sealed` where
    /// one lies plain that must not, and with `configuration-invalid` a file that names another folder or token than at the start.
    func load() async throws -> Loaded {
        let file = try IssuerFileOnDisk(path).file
        guard Self.place(file) == place else {
            throw CommandFailure.invalid("\(path) names another folder or token: that takes a restart")
        }
        try folder.validate()
        return Loaded(
            networks: try await NetworkKeys(visa: file.visaKeys, mastercard: file.mastercardKeys, from: networkStore),
            decision: try file.decisionKeys.map { id throws(PaymentCryptoError) in try folder.agreementKey(id) })
    }
}
