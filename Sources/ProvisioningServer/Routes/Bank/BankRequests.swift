import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import Foundation
import HTTPTypes
import Hummingbird

/// What all routes of the bank's back end have in common: its key, and answers that were given before.
struct BankRequests: Sendable {
    /// The largest body of a batch or of an import's part. A listener takes no more.
    static let largest = 1_048_576
    private static let key = HTTPField.Name("Idempotency-Key")

    let context: TokenContext

    /// Refuses with `unauthorized` whoever has not the bank's key.
    func authorize(_ request: Request) async throws {
        try await context.host.callerKeys.requireBank(request.bearer)
    }

    /// The caller's name for what it wants. Refuses with `idempotency-key-missing`, and `malformed-request` what is no key.
    static func idempotencyKey(_ request: Request) throws(ProvisioningError) -> String {
        guard let name = key, let text = request.headers[name] else {
            throw ProvisioningError(code: .idempotencyKeyMissing, reason: "this operation needs an Idempotency-Key header")
        }
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw RequestReader.malformed("Idempotency-Key", "is not 1 to 255 printable characters without spaces")
        }
        return text
    }

    /// An answer that is stored, as it was given first.
    static func stored(_ answer: (answer: [UInt8], isRepeated: Bool), status: HTTPResponse.Status = .ok) -> Response {
        let headers: HTTPFields = [.cacheControl: "no-store"]
        return JSONAnswer.verbatim(answer.answer, status: status, headers: headers.replaying(answer.isRepeated))
    }

    static func fresh(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        try JSONAnswer.make(value, status: status, headers: [.cacheControl: "no-store"])
    }

    /// A name that a path or a filter has. Refuses with `malformed-request` what is not 1 to 64 characters of plain text.
    static func name(_ text: String, _ field: String) throws(ProvisioningError) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
        guard isPlain, (1...64).contains(text.unicodeScalars.count) else {
            throw RequestReader.malformed(field, "is not 1 to 64 characters of plain text")
        }
        return text
    }

    /// What a part of the path says, percent-decoded. Refuses with `malformed-request`.
    static func name(in context: some RequestContext, _ parameter: String) throws -> String {
        guard let text = try context.parameters.require(parameter).removingPercentEncoding else {
            throw RequestReader.malformed(parameter, "is not percent-encoded UTF-8")
        }
        return try name(text, parameter)
    }

    /// A card's id, which is the bank's own. Refuses with `malformed-request`.
    static func card(_ text: String, _ field: String) throws(ProvisioningError) -> String {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "/") }) else {
            throw RequestReader.malformed(field, "is not 1 to 64 printable characters")
        }
        return text
    }

    /// The secure element that a path or a filter names. Refuses with `malformed-request`.
    static func secureElement(_ text: String) throws(ProvisioningError) -> String {
        guard let element = DecisionInputs.Device.secureElement(text) else {
            throw RequestReader.malformed("secureElement", "is not 48 hexadecimal digits")
        }
        return element
    }

    /// Milliseconds since 1970, of today's order of magnitude: what is too small is a number of seconds, and what is too large one of
    /// microseconds. Refuses both with `malformed-request`, which names the unit.
    static func instant(_ milliseconds: Int64, _ field: String) throws(ProvisioningError) -> Timestamp {
        guard milliseconds >= 946_684_800_000 else {
            throw RequestReader.malformed(field, "is before the year 2000: it is in milliseconds since 1970, not in seconds")
        }
        guard milliseconds <= 253_402_300_799_000 else {
            throw RequestReader.malformed(field, "is after the year 9999: it is in milliseconds since 1970, not in microseconds")
        }
        return Timestamp(microseconds: milliseconds * 1_000)
    }
}

extension RequestReader {
    /// Reads a body that is larger than an ordinary one.
    init(large bytes: [UInt8], allowing keys: [String]) throws(ProvisioningError) {
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONReader.readObject(bytes, maximumBytes: BankRequests.largest)
        } catch {
            throw ProvisioningError.malformed("the body is not strict JSON: \(error.code)")
        }
        try self.init(object, path: "", allowing: keys)
    }

    /// The values of a list that has one at least, each to be judged by itself.
    func values(_ key: String, maximum: Int) throws(ProvisioningError) -> [JSONValue] {
        guard let values = object[key]?.array, (1...maximum).contains(values.count) else {
            throw Self.malformed(key, "is not a list of 1 to \(maximum)")
        }
        return values
    }

    /// A card's id, which is the bank's own.
    func card(_ key: String) throws(ProvisioningError) -> String {
        try BankRequests.card(text(key, maximum: 64), key)
    }

    /// Milliseconds since 1970, never seconds.
    func instant(_ key: String) throws(ProvisioningError) -> Timestamp {
        try BankRequests.instant(integer(key, in: 0...Int64(1 << 53)), key)
    }
}
