import ApplePay
import BillfoldDiagnosis
import BillfoldSandbox
import PaymentCrypto

/// Plays the merchant's administrator who prepares a new processing key. In test mode office and server share the data folder:
/// the server finds the key there with the first token that names it.
actor KeyRotation {
    private let folder: DataFolder
    private let directory: MerchantDirectory
    private var last: Task<IssuedCertificate, any Error>?

    init(folder: DataFolder, directory: MerchantDirectory) {
        self.folder = folder
        self.directory = directory
    }

    /// Each rotation waits for the one before: two keys must not be made under one name.
    func prepare(_ keyKind: String) async throws -> IssuedCertificate {
        guard let kind = ProcessingKeyKind(rawValue: keyKind) else {
            throw CommandFailure(.ourFault, code: "internal", reason: "no kind of processing key is called \(keyKind)")
        }
        let before = last
        let task = Task { [folder, directory] in
            _ = await before?.result
            let name = kind.name(kind.names(in: folder).count + 1)
            let key = try folder.secret("\(name).key.pem") { Array(try kind.make().utf8) }
            let issued = try await directory.issue(
                kind.request(PrivateKey(pem: String(decoding: key.reveal(), as: UTF8.self))), kind: .processing)
            try folder.write(Array(issued.certificate.pem.utf8), to: "\(name).pem")
            return issued
        }
        last = task
        return try await task.value
    }
}
