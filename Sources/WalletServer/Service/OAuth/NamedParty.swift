import BillfoldStorage
import MiniPrograms

/// What an id stands for at this wallet. A refusal says which id came, which kind it is, and which one belongs there
/// (mini-programs.md#client-id).
///
/// It is told to whoever sends the id, signed or not: ids are no secrets, and the codes of refusals tell the known ones already [I].
struct NamedParty: Sendable {
    enum Kind: String, Sendable {
        case missing = "is missing"
        case client = "is a merchant's client"
        case author = "is an author of mini programs"
        case miniProgram = "is a mini program's own id"
        case unknown = "is nobody whom this wallet knows"
    }

    /// The id, where it is one to print.
    let shown: String
    let kind: Kind

    init(_ id: String, in tx: any Transaction) throws {
        shown = Self.shown(id)
        // What is no id's text is in no row.
        guard !id.isEmpty, shown == id else {
            kind = id.isEmpty ? .missing : .unknown
            return
        }
        if try SignerRecords.find(.client, id, in: tx) != nil {
            kind = .client
        } else if try SignerRecords.find(.author, id, in: tx) != nil {
            kind = .author
        } else if PackageManifest.isAppID(id), try MiniProgramRecords.find(id, in: tx) != nil {
            kind = .miniProgram
        } else {
            kind = .unknown
        }
    }

    /// What is no id is only counted: a header may have anything.
    static func shown(_ id: String) -> String {
        id.utf8.count <= 128 && id.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? id : "of \(id.utf8.count) bytes"
    }

    /// Such as "Client-Id author-1 is an author of mini programs".
    func described(as member: String) -> String {
        kind == .missing ? "\(member) \(kind.rawValue)" : "\(member) \(shown) \(kind.rawValue)"
    }

    /// Refuses a call whose sender is not of the kind whose calls its path takes.
    func refusal(wanting wanted: SignerRecords.Kind) -> OpenAPIRefusal {
        let wants =
            switch wanted {
            case .client: "the merchant's client signs here, the mini program's authClientId (AUTH_CLIENT_ID in the sandbox's env file)"
            case .author: "the author signs here, not the merchant's client (AUTHOR_ID in the sandbox's env file)"
            }
        return OpenAPIRefusal(.invalidAuthClient, "\(described(as: "Client-Id")): \(wants)")
    }
}
