import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// Reads what the commands are given.
enum AlipayFiles {
    /// A message's bytes, without the line feed that editors add.
    static func message(_ path: String) throws -> [UInt8] {
        var bytes = try CommandFile.read(path)
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes
    }

    /// Fields in the file's order: one JSON object of texts. A value that is JSON itself is taken as its compact text.
    static func fields(_ path: String) throws -> [(name: String, value: String)] {
        guard let members = try AlipayJSON.read(message(path)).members else {
            throw CommandFailure(.refused, code: "malformed-fields", reason: "the fields are not one JSON object")
        }
        return members.map { ($0.key, $0.value.scalar ?? $0.value.text) }
    }

    /// The shared MD5 key: a file's first line. An empty one would be a secret that everybody knows.
    static func secret(_ path: String) throws -> Secret<String> {
        let line = try CommandFile.firstLine(path)
        guard !line.isEmpty else { throw CommandFailure.usage("the first line of \(path) is empty") }
        return Secret(line)
    }

    /// The signer of `--sign-type` with `--key` or `--md5-key-file`.
    static func signer(_ signType: String, key: String?, md5KeyFile: String?) throws -> any AlipaySigner {
        guard let algorithm = AlipaySignatureAlgorithm(rawValue: signType) else {
            throw CommandFailure.usage("--sign-type is RSA, RSA2 or MD5")
        }
        if algorithm == .md5 {
            guard let md5KeyFile else { throw CommandFailure.usage("MD5 needs --md5-key-file") }
            return AlipayMD5Signer(key: try secret(md5KeyFile))
        }
        guard let key else { throw CommandFailure.usage("\(signType) needs --key") }
        let privateKey = try AlipayKeyText.privateKey(CommandFile.text(key))
        return algorithm == .rsa ? AlipayRSASigner.rsa(privateKey) : .rsa2(privateKey)
    }

    /// What a message is checked with; the message's own `sign_type` chooses.
    static func keys(key: String?, md5KeyFile: String?) throws -> AlipayVerificationKeys {
        guard key != nil || md5KeyFile != nil else { throw CommandFailure.usage("give --key or --md5-key-file") }
        let rsa = try key.map { path in try AlipayKeyText.publicKey(CommandFile.text(path)) }
        return AlipayVerificationKeys(rsa: rsa, rsa2: rsa, md5: try md5KeyFile.map(secret))
    }

    static func charset(_ name: String?) throws -> AlipayCharset? {
        try name.map { name in
            guard let charset = AlipayCharset(name: name) else { throw CommandFailure.usage("--charset is utf-8 or gbk") }
            return charset
        }
    }
}
