import BillfoldDiagnosis
import Foundation
import SwiftASN1
import UnionPay
import X509

/// Reads what the commands are given.
enum UnionPayFiles {
    static func text(_ path: String) throws -> String { try CommandFile.text(path) }

    /// The first line, without its end. An empty one is refused: it would be a secret that everybody knows.
    static func secret(_ path: String) throws -> Secret<String> {
        let line = String(try text(path).prefix { !$0.isNewline })
        guard !line.isEmpty else { throw CommandFailure.usage("the first line of \(path) is empty") }
        return Secret(line)
    }

    static func certificates(_ paths: [String]) throws -> [Certificate] {
        try paths.flatMap { path in
            let bytes = try CommandFile.read(path)
            let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
            let certificates =
                try? CommandInput.isDER(bytes)
                ? [Certificate(derEncoded: bytes)] : PEMDocument.parseMultiple(pemString: text).map { try Certificate(pemDocument: $0) }
            guard let certificates, !certificates.isEmpty else {
                throw CommandFailure(.refused, code: "certificate-unreadable", reason: "\(path) holds no certificate, PEM or DER")
            }
            return certificates
        }
    }

    static func certificate(_ path: String) throws -> Certificate {
        try certificates([path])[0]
    }

    /// A message as JSON of its fields, a form body, or a reply body.
    static func message(_ path: String) throws -> UnionPayFields {
        var bytes = try CommandFile.read(path)
        // An editor's line feed goes; CR LF stays, for it may end a signPubKeyCert.
        if bytes.last == 0x0A, bytes.dropLast().last != 0x0D { bytes.removeLast() }
        if bytes.first == UInt8(ascii: "{") { return try fields(bytes) }
        // Only a form body has escapes: a reply's base64 is bare.
        return bytes.contains(UInt8(ascii: "%")) ? try FormBody.decode(bytes) : try ReplyBody.decode(bytes)
    }

    static func fields(_ json: [UInt8]) throws -> UnionPayFields {
        guard let object = try? JSONDecoder().decode([String: String].self, from: Data(json)) else {
            throw CommandFailure(.refused, code: "malformed-fields", reason: "the fields are not a JSON object of texts")
        }
        return UnionPayFields(object)
    }
}
