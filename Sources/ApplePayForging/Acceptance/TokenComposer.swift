public import ApplePay
import BillfoldJSON
import Crypto
import Foundation
public import PaymentCrypto

/// Makes tokens as the wallet's servers do: apple-pay.md#decryption in reverse, and a signature by the simulated authority.
///
/// Randomness is the caller's. ECDSA signatures draw their own nonces, so two runs with one seed differ in signatures alone.
public struct TokenComposer: Sendable {
    public let authority: WalletAuthority
    /// Needed for the OAEP flaws only.
    public let hashPairs: (any OAEPHashPairs)?

    public init(authority: WalletAuthority, hashPairs: (any OAEPHashPairs)? = nil) {
        self.authority = authority
        self.hashPairs = hashPairs
    }

    /// Makes the token that the plan describes, with its flaws, under the authority's signature unless a flaw leaves that out. Throws
    /// `composition`.
    public func compose(_ plan: TokenPlan, using generator: inout some RandomNumberGenerator) throws(ApplePayError) -> ComposedToken {
        do throws(PaymentCryptoError) {
            return try make(plan, &generator)
        } catch {
            throw ApplePayError(code: .composition, reason: error.reason)
        }
    }

    private func make(_ plan: TokenPlan, _ generator: inout some RandomNumberGenerator) throws(PaymentCryptoError) -> ComposedToken {
        let transactionId = Self.bytes(32, &generator)
        var identifier = Hexadecimal.encode(transactionId)
        if plan.flaws.contains(.upperCaseTransactionIdentifier) { identifier = identifier.uppercased() }
        if plan.flaws.contains(.emptyPaymentData) {
            return ComposedToken(paymentData: [], paymentMethod: plan.paymentMethod, transactionIdentifier: identifier)
        }
        let (material, symmetricKey) = try key(plan, &generator)
        let data = try AESGCM(key: symmetricKey).seal(plan.payload.plaintext(), nonce: AESGCM.walletTokenNonce)
        let header = PaymentToken.Header(
            key: material, publicKeyHash: plan.merchant.publicKeyHash, transactionId: transactionId,
            applicationData: plan.applicationData.map { Array(SHA256.hash(data: $0)) })
        let signature = plan.flaws.contains(.noSignature) ? [] : try sign(plan, header: header, data: data)
        let (sent, sealed) = plan.flaws.contains(.substitutedKey) ? try substituted(plan, for: header, using: &generator) : (header, data)
        return ComposedToken(
            paymentData: Self.json(plan, header: sent, data: sealed, signature: signature), paymentMethod: plan.paymentMethod,
            transactionIdentifier: identifier)
    }

    /// The same payload under another key, as a man in the middle makes it.
    private func substituted(
        _ plan: TokenPlan, for header: PaymentToken.Header, using generator: inout some RandomNumberGenerator
    ) throws(PaymentCryptoError) -> (PaymentToken.Header, [UInt8]) {
        let (material, symmetricKey) = try key(plan, &generator)
        let other = PaymentToken.Header(
            key: material, publicKeyHash: header.publicKeyHash, transactionId: header.transactionId,
            applicationData: header.applicationData)
        return (other, try AESGCM(key: symmetricKey).seal(plan.payload.plaintext(), nonce: AESGCM.walletTokenNonce))
    }

    private func key(
        _ plan: TokenPlan, _ generator: inout some RandomNumberGenerator
    ) throws(PaymentCryptoError) -> (PaymentToken.KeyMaterial, [UInt8]) {
        switch plan.version {
        case .ecV1: try agreedKey(plan, &generator)
        case .rsaV1: try wrappedKey(plan, &generator)
        }
    }

    private func agreedKey(
        _ plan: TokenPlan, _ generator: inout some RandomNumberGenerator
    ) throws(PaymentCryptoError) -> (PaymentToken.KeyMaterial, [UInt8]) {
        var point = plan.merchant.publicKey.x963
        if plan.flaws.contains(.encryptedToOtherKey) { point = try P256PrivateKey(using: &generator).publicKey.x963 }
        guard let point, point.count == 65 else {
            throw PaymentCryptoError(code: .unsupportedKey, reason: "an EC_v1 token needs a P-256 processing certificate")
        }
        var ephemeral = try P256PrivateKey(using: &generator)
        var secret = try ephemeral.sharedSecret(x963: point)
        // One agreement in 256 has a leading zero; forty times as many tries fail once in 10^17 runs.
        let wantsZero = plan.flaws.contains(.leadingZeroSecret) || plan.flaws.contains(.trimmedSecret)
        var tries = 0
        while wantsZero, secret[0] != 0 {
            tries += 1
            guard tries < 10_240 else { throw PaymentCryptoError(code: .issuingFailed, reason: "no secret with a leading zero was found") }
            ephemeral = try P256PrivateKey(using: &generator)
            secret = try ephemeral.sharedSecret(x963: point)
        }
        if plan.flaws.contains(.trimmedSecret) { secret = Array(secret.drop { $0 == 0 }) }
        let identifierHash = plan.derivedForMerchantIdentifier.map { MerchantIdentifier.hash($0) } ?? plan.merchant.merchantIdentifierHash
        let key = try ConcatenationKDF.derive(
            sharedSecret: secret, otherInfo: TokenKeyDerivation.otherInfo(merchantIdentifierHash: identifierHash))
        return (.ephemeralPublicKey(ephemeral.publicKey.subjectPublicKeyInfo), key)
    }

    private func wrappedKey(
        _ plan: TokenPlan, _ generator: inout some RandomNumberGenerator
    ) throws(PaymentCryptoError) -> (PaymentToken.KeyMaterial, [UInt8]) {
        let key = Self.bytes(16, &generator)
        let pair: (OAEPHash, OAEPHash)? =
            if plan.flaws.contains(.oaepSHA1) {
                (.sha1, .sha1)
            } else if plan.flaws.contains(.oaepMaskSHA1) {
                (.sha256, .sha1)
            } else if plan.flaws.contains(.oaepHashSHA1) {
                (.sha1, .sha256)
            } else {
                nil
            }
        guard let (hash, mask) = pair else { return (.wrappedKey(try plan.merchant.publicKey.sealOAEPSHA256(key)), key) }
        guard
            let wrapped = hashPairs?.wrap(
                key, subjectPublicKeyInfo: plan.merchant.publicKey.subjectPublicKeyInfo, hash: hash, mask: mask)
        else {
            throw PaymentCryptoError(
                code: .unsupportedAlgorithm, reason: "this composer has no OAEP with \(hash.rawValue) and \(mask.rawValue)")
        }
        return (.wrappedKey(wrapped), key)
    }

    private func sign(_ plan: TokenPlan, header: PaymentToken.Header, data: [UInt8]) throws(PaymentCryptoError) -> [UInt8] {
        var content = header.key.bytes + data + header.transactionId
        if let hash = header.applicationData {
            if plan.flaws.contains(.applicationDataAsHexText) {
                content += Array(Hexadecimal.encode(hash).utf8)
            } else if plan.flaws.contains(.applicationDataAsBase64Text) {
                content += Array(StrictBase64.encode(hash).utf8)
            } else if !plan.flaws.contains(.applicationDataOmitted) {
                content += hash
            }
        }
        let (certificate, key): (ParsedCertificate, any MessageSigner) =
            if plan.version == .rsaV1, let leaf = authority.rsaLeaf, let key = authority.rsaLeafKey {
                (leaf, key)
            } else {
                (authority.leaf, authority.leafKey)
            }
        let isRSA = certificate === authority.rsaLeaf
        var signer = key
        // A stranger's key must be of the leaf's kind, so that only the signature itself is wrong.
        if plan.flaws.contains(.signedByStranger), !isRSA { signer = authority.intermediateKey }
        var encoder = SignedDataEncoder(
            signer: signer, algorithm: isRSA ? .rsaPKCS1SHA256 : .ecdsaSHA256, signerCertificate: certificate,
            certificates: [certificate] + (plan.flaws.contains(.noIntermediate) ? [] : [authority.intermediate])
                + (plan.flaws.contains(.bundledRoot) ? [authority.root] : []),
            signingTime: plan.flaws.contains(.noSigningTime) ? nil : plan.signingTime)
        encoder.includesSignedAttributes = !plan.flaws.contains(.noSignedAttributes)
        encoder.includesAlgorithmProtection = !plan.flaws.contains(.noAlgorithmProtection)
        encoder.writesDigestNullParameters = !plan.flaws.contains(.digestWithoutNull)
        if plan.flaws.contains(.embeddedContent) { encoder.embeddedContent = content }
        if plan.flaws.contains(.embeddedOtherContent) { encoder.embeddedContent = Array(content.reversed()) }
        var signature = try encoder.encode(content: content)
        // The signature value ends before the six end-of-contents bytes.
        if plan.flaws.contains(.flippedSignature) { signature[signature.count - 7] ^= 0x01 }
        return signature
    }

    private static func json(_ plan: TokenPlan, header: PaymentToken.Header, data: [UInt8], signature: [UInt8]) -> [UInt8] {
        func flipped(_ bytes: [UInt8], _ flaw: TokenFlaw, at index: Int) -> [UInt8] {
            guard plan.flaws.contains(flaw), bytes.indices.contains(index) else { return bytes }
            var bytes = bytes
            bytes[index] ^= 0x01
            return bytes
        }
        var object = JSONObject()
        switch header.key {
        case .ephemeralPublicKey(let bytes):
            object["ephemeralPublicKey"] = .string(StrictBase64.encode(flipped(bytes, .flippedKey, at: bytes.count - 1)))
        case .wrappedKey(let bytes):
            object["wrappedKey"] = .string(StrictBase64.encode(flipped(bytes, .flippedKey, at: bytes.count - 1)))
        }
        object["publicKeyHash"] = .string(StrictBase64.encode(flipped(header.publicKeyHash, .otherPublicKeyHash, at: 0)))
        object["transactionId"] = .string(Hexadecimal.encode(flipped(header.transactionId, .flippedTransactionId, at: 0)))
        if let applicationData = header.applicationData {
            object["applicationData"] = .string(Hexadecimal.encode(flipped(applicationData, .flippedApplicationData, at: 0)))
        }
        let damaged = flipped(flipped(data, .flippedData, at: 0), .flippedTag, at: data.count - 1)
        return JSONWriter.write(
            JSONObject([
                .init("data", .string(StrictBase64.encode(damaged))), .init("signature", .string(StrictBase64.encode(signature))),
                .init("header", .object(object)), .init("version", .string(plan.version.rawValue)),
            ]))
    }

    private static func bytes(_ count: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
