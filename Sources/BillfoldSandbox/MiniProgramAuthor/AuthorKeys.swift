import BillfoldJSON
import MiniProgramZip
import MiniPrograms
import PaymentCrypto

/// Who a signed call is from: a name that the wallet has registered, and its key.
struct AuthorIdentity: Sendable {
    let id: String
    let key: RSAPrivateKey

    /// Under which the wallet has registered the key.
    static let keyVersion = 1

    var keysText: JSONValue {
        .array([
            .object(
                JSONObject([
                    .init("version", .number(String(Self.keyVersion))),
                    .init("publicKey", .string(StrictBase64.encode(key.publicKey.subjectPublicKeyInfo))),
                ]))
        ])
    }
}

/// The author's keys: one for its tools, one for the client of each mini program, and one that signs packages.
struct AuthorKeys: Sendable {
    static let authorID = "sandbox-author"
    static let packageKeyID: KeyID = "sandbox-author-packages"

    let author: AuthorIdentity
    let packages: RSAPrivateKey
    /// By `authClientId`.
    let clients: [String: AuthorIdentity]

    /// Makes what is not there yet.
    init(_ keys: PartyKeys, programs: [AuthorProgram]) throws {
        func key(_ name: String) throws -> RSAPrivateKey {
            let pem = try keys.material("\(name).pem") {
                Array(PEMText.Block(label: "PRIVATE KEY", bytes: try RSAPrivateKey(bits: 2048).pkcs8).text.utf8)
            }
            return try RSAPrivateKey(pem: String(decoding: pem, as: UTF8.self))
        }
        author = AuthorIdentity(id: Self.authorID, key: try key("author"))
        packages = try key("packages")
        var clients: [String: AuthorIdentity] = [:]
        for program in programs {
            clients[program.clientID] = AuthorIdentity(id: program.clientID, key: try key("client-\(program.clientID)"))
        }
        self.clients = clients
    }

    /// A mini program's files as an archive that the platform takes. The same files give the same bytes.
    func archive(_ program: AuthorProgram, version: MiniProgramVersion, files: [String: [UInt8]]) throws -> [UInt8] {
        let package = try MiniProgramPackage(
            appID: program.appID, version: version, files: files, signedBy: packages, keyID: Self.packageKeyID,
            algorithm: .rsaPKCS1SHA256)
        return try ZipPackages().archive(package.entries)
    }
}
