import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import PaymentCrypto

/// What an artifact turned out to be.
enum Exhibit {
    case token(PaymentToken)
    /// Where in another object the token stands that comes behind it.
    case wrapper(String)
    /// A token that strict parsing refused and a known repair made readable.
    case damagedToken(TransportRepair, ApplePayError)
    case unreadableToken(ApplePayError)
    /// No bytes where a token's `paymentData` should be.
    case emptyToken
    case payload(PaymentPayload)
    case unreadablePayload(ApplePayError)
    case certificate(ParsedCertificate)
    case key(PrivateKey)
    /// A PEM file, or one block of it, that does not hold what its label says.
    case unreadablePEM(PaymentCryptoError)
    /// A private key under a password, and what says so.
    case encryptedKey(String)
    case certificateRequest(CertificateRequest)
    /// A request for a certificate that is not read, and why.
    case unreadableCertificateRequest(PaymentCryptoError)
    case request(PaymentRequest)
    case unreadableRequest(ApplePayError)
    case session(SheetSession)
    case unreadableSession(ApplePayError)
    case hints(MerchantHints)
    /// What a merchant's server posts for a session of the web, and the session that comes back.
    case sessionRequest(JSONObject)
    case merchantSession(JSONObject)

    /// Takes an artifact apart; empty when it is none of this library's.
    static func read(_ artifact: Artifact, _ archives: (any MerchantKeyArchives)? = nil) -> [Exhibit] {
        let bytes = artifact.bytes
        guard !bytes.isEmpty else { return artifact.name.lowercased().contains("paymentdata") ? [.emptyToken] : [] }
        guard bytes.count <= SheetSession.byteLimit else { return [] }
        if isPEM(bytes) { return pem(String(decoding: bytes, as: UTF8.self)) }
        if bytes.first == 0x30 {
            if let certificate = try? ParsedCertificate(der: bytes) { return [.certificate(certificate)] }
            if let request = try? CertificateRequest(der: bytes) { return [.certificateRequest(request)] }
            return archives?.open(bytes).map(archive) ?? []
        }
        guard let object = try? ApplePayJSON.readObject(bytes, maximumBytes: SheetSession.byteLimit) else {
            if contains(bytes, "EC_v1") || contains(bytes, "RSA_v1") { return [token(bytes)] }
            return TransportRepair(bytes).map { [.damagedToken($0, refusal(of: bytes))] } ?? []
        }
        if object["kind"]?.string == SheetSession.kind {
            do throws(ApplePayError) {
                return [.session(try SheetSession(object))]
            } catch {
                return [.unreadableSession(error)]
            }
        }
        if object["applicationPrimaryAccountNumber"] != nil {
            do throws(ApplePayError) {
                return [.payload(try PaymentPayload(bytes))]
            } catch {
                return [.unreadablePayload(error)]
            }
        }
        if WrappedToken.isToken(object) { return [token(bytes)] }
        if let wrapped = WrappedToken(in: object) { return [.wrapper(wrapped.path), token(wrapped.bytes)] }
        if object["merchantSessionIdentifier"] != nil, object["expiresAt"] != nil { return [.merchantSession(object)] }
        if object["initiative"] != nil, object["initiativeContext"] != nil {
            return [.sessionRequest(object)] + (MerchantHints(object).map { [.hints($0)] } ?? [])
        }
        if object["supportedNetworks"] != nil || (object["countryCode"] != nil && object["currencyCode"] != nil)
            || PaymentRequestAPI.isMeant(by: object)
        {
            do throws(ApplePayError) {
                return [.request(try PaymentRequest(object))]
            } catch {
                return [.unreadableRequest(error)]
            }
        }
        return MerchantHints(object).map { [.hints($0)] } ?? []
    }

    private static func token(_ bytes: [UInt8]) -> Exhibit {
        do throws(ApplePayError) {
            let token = try PaymentToken(bytes, maximumBytes: SheetSession.byteLimit)
            // Base64 of base64 is read as any other: what it holds is text, and no cipher's output.
            guard TransportRepair.isBase64Text(token.data), let repair = TransportRepair(bytes) else { return .token(token) }
            return .damagedToken(repair, ApplePayError(code: .malformedToken, reason: "data holds base64 text in place of bytes"))
        } catch {
            if error.code == .emptyPaymentData { return .emptyToken }
            if let repair = TransportRepair(bytes) { return .damagedToken(repair, error) }
            return .unreadableToken(error)
        }
    }

    /// Why the bytes of a token that can be repaired are refused.
    private static func refusal(of bytes: [UInt8]) -> ApplePayError {
        do throws(ApplePayError) {
            _ = try PaymentToken(bytes, maximumBytes: SheetSession.byteLimit)
            return ApplePayError(code: .malformedToken, reason: "the token stands in another form")
        } catch { return error }
    }

    /// A message may carry a PEM text in one of its fields; a PEM file has the marker at the start of a line.
    private static func isPEM(_ bytes: [UInt8]) -> Bool {
        var isLineStart = true
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isLineStart = true
            case UInt8(ascii: " "), UInt8(ascii: "\t"): continue
            case UInt8(ascii: "-") where isLineStart && bytes[index...].starts(with: "-----BEGIN ".utf8): return true
            default: isLineStart = false
            }
        }
        return false
    }

    /// A merchant's key with its certificate; another party's archive is nothing here.
    private static func archive(_ found: MerchantKeyArchive) -> [Exhibit] {
        let certificates = found.certificates.compactMap { try? ParsedCertificate(der: $0) }
        guard let leaf = certificates.first, let key = try? PrivateKey(der: found.privateKey.reveal()) else { return [] }
        let isEllipticCurve = if case .rsa = key.publicKey.kind { false } else { true }
        guard leaf.merchantUse != nil || isEllipticCurve else { return [] }
        return [.certificate(leaf), .key(key)]
    }

    private static func pem(_ text: String) -> [Exhibit] {
        // The form of old tools: headers say that the block is encrypted, and what follows is no DER.
        if let header = text.firstMatch(of: /Proc-Type:\s*4,\s*ENCRYPTED/) { return [.encryptedKey(String(header.output))] }
        do throws(PaymentCryptoError) {
            var exhibits: [Exhibit] = []
            for block in try PEMText(text).blocks {
                switch block.label {
                case "CERTIFICATE": exhibits.append(.certificate(try ParsedCertificate(der: block.bytes)))
                case "PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY": if let key = try key(block.bytes) { exhibits.append(key) }
                case "ENCRYPTED PRIVATE KEY": exhibits.append(.encryptedKey(block.label))
                case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": exhibits.append(certificateRequest(block.bytes))
                default: continue
                }
            }
            return exhibits
        } catch { return [.unreadablePEM(error)] }
    }

    private static func certificateRequest(_ der: [UInt8]) -> Exhibit {
        do throws(PaymentCryptoError) {
            return .certificateRequest(try CertificateRequest(der: der))
        } catch { return .unreadableCertificateRequest(error) }
    }

    /// Nil for a key of a kind that the wallet does not use: another diagnostician may know it.
    private static func key(_ der: [UInt8]) throws(PaymentCryptoError) -> Exhibit? {
        do throws(PaymentCryptoError) {
            return .key(try PrivateKey(der: der))
        } catch {
            // A key that is too short for this journey belongs to another one.
            guard error.code == .unsupportedKey || (try? LegacyRSAPrivateKey(der: der)) != nil else { throw error }
            return nil
        }
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains { bytes[$0] == wanted[0] && bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
