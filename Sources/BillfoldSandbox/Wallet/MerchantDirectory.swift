package import ApplePayForging
package import Foundation
package import PaymentCrypto

/// The wallet's register of merchants: which certificates were issued, and which ones tokens are encrypted to.
///
/// Issuing and activating are separate steps, as with the real office: during a rotation tokens still arrive for the old
/// key (apple-pay.md#key-rotation). [D]
package actor MerchantDirectory {
    package nonisolated let authority: WalletAuthority
    private var issued: [IssuedCertificate]
    private let clock: @Sendable () -> Date
    private var generator: any RandomNumberGenerator & Sendable
    /// Called with every change, so that a folder can keep it.
    private let changed: @Sendable ([IssuedCertificate]) throws -> Void
    /// Gives the register as it is kept now: the office may run in another process than the wallet.
    private let reread: (@Sendable () throws -> [IssuedCertificate])?

    package init(
        authority: WalletAuthority, issued: [IssuedCertificate] = [], clock: @escaping @Sendable () -> Date,
        generator: any RandomNumberGenerator & Sendable, changed: @escaping @Sendable ([IssuedCertificate]) throws -> Void = { _ in },
        reread: (@Sendable () throws -> [IssuedCertificate])? = nil
    ) {
        self.reread = reread
        self.authority = authority
        self.issued = issued
        self.clock = clock
        self.generator = generator
        self.changed = changed
    }

    package var all: [IssuedCertificate] { issued }

    /// Issues a certificate for a request. The first processing certificate of a merchant and kind of key is active at once.
    package func issue(
        _ request: CertificateRequest, kind: WalletAuthority.MerchantCertificateKind, merchantIdentifier: String? = nil,
        activate: Bool = false
    ) throws -> IssuedCertificate {
        try refresh()
        guard let identifier = merchantIdentifier ?? request.subject.userID ?? request.subject.commonName, !identifier.isEmpty else {
            throw WalletSimulatorError(code: .merchantIdentifierMissing, reason: "the request names no merchant identifier")
        }
        switch (kind, request.publicKey.kind) {
        case (.processing, .p256), (.processing, .rsa(bits: 2048)), (.identity, .rsa(bits: 2048)): break
        default:
            throw WalletSimulatorError(
                code: .keyKind, reason: "a \(kind.rawValue) certificate needs \(kind == .processing ? "P-256 or RSA 2048" : "RSA 2048")")
        }
        let certificate = try authority.merchantCertificate(
            for: request.publicKey, merchantIdentifier: identifier, kind: kind, notBefore: clock(), using: &generator)
        var entry = IssuedCertificate(certificate: certificate, kind: kind, merchantIdentifier: identifier, isActive: false)
        entry.isActive = kind == .identity || active(identifier, keyKind: entry.keyKind) == nil || activate
        var next = issued
        if entry.isActive { Self.deactivate(&next, like: entry) }
        next.append(entry)
        try changed(next)
        issued = next
        return entry
    }

    /// Makes a processing certificate the one that tokens are encrypted to. Doing it again changes nothing.
    package func activate(serial: String) throws -> IssuedCertificate {
        try refresh()
        guard let index = issued.firstIndex(where: { $0.serial == serial }) else {
            throw WalletSimulatorError(code: .unknownCertificate, reason: "no certificate \(serial) was issued")
        }
        var next = issued
        Self.deactivate(&next, like: next[index])
        next[index].isActive = true
        try changed(next)
        issued = next
        return next[index]
    }

    /// Takes over what another process on the same folder has issued or activated.
    private func refresh() throws { if let reread { issued = try reread() } }

    /// The certificate to encrypt to; China UnionPay prefers an RSA one (RSA_v1 was seen with that network alone). [O]
    package func activeCertificate(for merchantIdentifier: String, prefersRSA: Bool) throws -> IssuedCertificate {
        try refresh()
        let kinds = prefersRSA ? ["RSA", "EC"] : ["EC", "RSA"]
        guard let found = kinds.lazy.compactMap({ self.active(merchantIdentifier, keyKind: $0) }).first else {
            throw WalletSimulatorError(code: .noActiveCertificate, reason: "no processing certificate is active for \(merchantIdentifier)")
        }
        guard found.certificate.isValid(at: clock()) else {
            throw WalletSimulatorError(
                code: .certificateNotValid, reason: "the active processing certificate of \(merchantIdentifier) is not valid now")
        }
        return found
    }

    private func active(_ merchantIdentifier: String, keyKind: String) -> IssuedCertificate? {
        issued.last { $0.kind == .processing && $0.isActive && $0.merchantIdentifier == merchantIdentifier && $0.keyKind == keyKind }
    }

    private static func deactivate(_ list: inout [IssuedCertificate], like entry: IssuedCertificate) {
        for index in list.indices
        where entry.kind == .processing && list[index].kind == .processing && list[index].merchantIdentifier == entry.merchantIdentifier
            && list[index].keyKind == entry.keyKind
        {
            list[index].isActive = false
        }
    }
}
