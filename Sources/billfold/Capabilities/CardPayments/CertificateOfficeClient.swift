import BillfoldServer
import HTTPTypes
import PaymentCrypto

/// Has certificates issued, as a merchant does on the wallet owner's site.
struct CertificateOfficeClient: Sendable {
    let process: ServingProcess

    /// The certificate for a request, PEM. A processing one is what tokens are encrypted to from now on.
    func issue(_ request: CertificateRequest, for purpose: StoredKey.Purpose) async throws -> String {
        let url = "\(process.addresses[.certificates].origin)/certificates/\(purpose.rawValue)?activate=true"
        return try await text(
            OutgoingRequest(
                method: .post, url: url, headers: [.contentType: "application/x-pem-file"], body: Array(request.pem.utf8),
                destination: .configured))
    }

    /// The root that the sandbox's tokens lead to, PEM.
    func root() async throws -> String { try await authority("root") }

    /// What signs the certificates that the office issues, PEM.
    func intermediate() async throws -> String { try await authority("intermediate") }

    private func authority(_ name: String) async throws -> String {
        try await text(
            OutgoingRequest(method: .get, url: "\(process.addresses[.certificates].origin)/certificates/\(name)", destination: .configured))
    }

    private func text(_ request: OutgoingRequest) async throws -> String {
        try await String(
            decoding: PartyPatience.answer(from: "the certificate office", sender: process.sender, request), as: UTF8.self)
    }
}
