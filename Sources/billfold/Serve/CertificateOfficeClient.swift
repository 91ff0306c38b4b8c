import BillfoldServer
import HTTPTypes
import PaymentCrypto

/// Has certificates issued, as a merchant does on the wallet owner's site.
struct CertificateOfficeClient: Sendable {
    let shared: ServeComposition.Shared

    /// The certificate for a request, PEM. It is the one that tokens are encrypted to from now on.
    func issue(_ request: CertificateRequest) async throws -> String {
        let url = "\(shared.options.addresses.certificates)/certificates/processing?activate=true"
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
            OutgoingRequest(method: .get, url: "\(shared.options.addresses.certificates)/certificates/\(name)", destination: .configured))
    }

    private func text(_ request: OutgoingRequest) async throws -> String {
        try await String(
            decoding: PartyPatience.answer(from: "the certificate office", sender: shared.sender, request), as: UTF8.self)
    }
}
