import BillfoldDiagnosis
import BillfoldServer
import Foundation
import ProvisioningServer

/// What the sandbox's issuer's host runs by, as the issuer's file that would have it run so: left in the data folder, to be copied and
/// changed by whoever brings a processor or a sender of pushes of their own.
struct SandboxIssuerFile: Encodable {
    static let fileName = "issuer.json"
    /// What network and processor know the bank by.
    static let networkCredential = "issuer-at-network.key"
    static let processorCredential = "issuer-at-processor.key"

    struct Entry: Encodable {
        var id: String
        var network: String
        var numberPrefixes: [String]
        var displayName: String
        var payload: String
        var prefixDigits: Int?
        var encryptionScheme: String

        init(_ programme: Programme) {
            id = programme.id
            network = programme.network.rawValue
            numberPrefixes = programme.numberPrefixes
            displayName = programme.displayName
            encryptionScheme = programme.encryptionScheme
            switch programme.payload {
            case .fpan: payload = "fpan"
            case .encryptedFPAN(let digits): (payload, prefixDigits) = ("encryptedFPAN", digits)
            }
        }
    }

    struct Keys: Encodable {
        var folder: String
        var visa: [String]
        var mastercard: [String]
    }

    struct Processor: Encodable {
        var origin: String
        var credential = SandboxIssuerFile.processorCredential
        var changesEverySeconds: Int?
    }

    struct Network: Encodable {
        var network: String
        var origin: String
        var credential = SandboxIssuerFile.networkCredential
        var callerKey: String
    }

    var issuer: String
    var programmes: [Entry]
    var keys: Keys
    var decisionKeys: [String]
    var bankKey: String
    var processor: Processor
    var pushes: Processor
    var networks: [Network]

    /// Writes the file and the credentials that it names, in the place of those of an earlier start.
    func write(in folder: DataFolder, network: Secret<String>, processor: Secret<String>) throws {
        for (name, credential) in [(Self.networkCredential, network), (Self.processorCredential, processor)] {
            try folder.replace(Array((credential.reveal() + "\n").utf8), name)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try folder.replace(Array(try encoder.encode(self)) + Array("\n".utf8), Self.fileName)
    }
}
