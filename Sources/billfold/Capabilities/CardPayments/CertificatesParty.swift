import ArgumentParser
import BillfoldSandbox
import BillfoldServer
import Foundation
import PaymentCrypto

extension ServerRole {
    static let certificates: Self = "certificates"
}

/// The office of the wallet's owner that certifies merchants' keys.
struct CertificatesParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.certificates

    @Option(name: .customLong("certificates-url"), help: "The certificate office, when it runs in another process.") var url: String?

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let directory = try process.certificateDirectory()
        let keys = URL(fileURLWithPath: process.folder.path(MerchantInstallation.sandboxKeys), isDirectory: true)
        let rotation = KeyRotation(
            store: KeyStore(folder: keys, encryption: process.encryption), directory: directory, now: process.dates)
        part.routes.append { CertificateOffice(directory: directory) { try await rotation.prepare($0) }.addRoutes(to: $0) }
    }
}
