import ArgumentParser
import BillfoldDiagnosis
import Foundation
import PaymentCryptoOpenSSL
import UnionPay
import X509

/// `unionpay sign`: signs a request's fields and shows the message.
struct UnionPaySign: UnionPayReplying {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign the fields of a request.",
        discussion: "FIELDS.json is one object of unencoded texts. Card data is masked in what is printed; --output writes the form body.")

    @Argument(help: "JSON object of the request's fields.") var fields: String
    @Option(help: "PKCS#12 file with the merchant's key and certificate.") var pfx: String?
    @Option(help: "File whose first line is the PKCS#12 file's password.") var passwordFile: String?
    @Option(help: "The merchant's private key, PEM.") var key: String?
    @Option(help: "The merchant's certificate, PEM.") var certificate: String?
    @Option(help: "01 RSA, 11 shared secret and SHA-256, 12 shared secret and SM3, 21 SM2.") var signMethod = "01"
    @Option(help: "File whose first line is the shared secret, for 11 and 12.") var secureKeyFile: String?
    @Option(help: "certId in decimal, for 21.") var certId: String?
    @Option(help: "How an SM2 signature is written: der or raw.") var sm2Form = "der"
    @Option(help: "Write the form body to this file.") var output: String?
    @Flag(help: "Show card data and the form body.") var reveal = false
    @Flag(help: "Print one JSON object.") var json = false

    func reply(now: Date) throws -> UnionPayReply {
        let message = try UnionPayFiles.fields(CommandFile.read(fields))
        let signed = try signer().signed(message)
        let body = try FormBody.encode(signed)
        if let output { try CommandFile.replacePrivate(output, body) }
        return UnionPayReply(
            outcome: "signed", signMethod: signMethod, certId: signed["certId"], signature: signed["signature"],
            fields: UnionPayReply.fields(signed, reveal: reveal), body: reveal ? body : nil)
    }

    private func signer() throws -> UnionPaySigner {
        guard let method = SignMethod(rawValue: signMethod) else { throw CommandFailure.usage("--sign-method is 01, 11, 12 or 21") }
        switch method {
        case .rsa: return try rsa()
        case .secureKeySHA256: return UnionPaySigner(.secureKeySHA256(try secureKey()))
        case .secureKeySM3: return UnionPaySigner(.secureKeySM3(try secureKey(), OpenSSLShangMi()))
        case .sm2:
            guard let key, let certId else { throw CommandFailure.usage("21 needs --key and --cert-id") }
            guard sm2Form == "der" || sm2Form == "raw" else { throw CommandFailure.usage("--sm2-form is der or raw") }
            let signer = OpenSSLShangMi.Signer(key: try SM2PrivateKey(pem: UnionPayFiles.text(key)))
            return UnionPaySigner(.sm2(signer, OpenSSLShangMi(), try CertificateID(certId), sm2Form == "raw" ? .raw : .der))
        }
    }

    private func secureKey() throws -> Secret<String> {
        guard let secureKeyFile else { throw CommandFailure.usage("\(signMethod) needs --secure-key-file") }
        return try UnionPayFiles.secret(secureKeyFile)
    }

    private func rsa() throws -> UnionPaySigner {
        if let pfx {
            guard key == nil, certificate == nil else { throw CommandFailure.usage("give --pfx, or --key and --certificate") }
            guard let passwordFile else { throw CommandFailure.usage("--pfx needs --password-file") }
            let pair = try OpenSSLPKCS12.read(CommandFile.read(pfx), password: UnionPayFiles.secret(passwordFile))
            return try UnionPaySigner(key: pair.key, certificate: pair.certificate)
        }
        guard let key, let certificate else { throw CommandFailure.usage("give --pfx and --password-file, or --key and --certificate") }
        let pem = try UnionPayFiles.text(key)
        guard let privateKey = try? Certificate.PrivateKey(pemEncoded: pem) else {
            throw CommandFailure(.refused, code: "unusable-key", reason: "\(key) holds no PEM private key")
        }
        return try UnionPaySigner(key: privateKey, certificate: UnionPayFiles.certificate(certificate))
    }
}
