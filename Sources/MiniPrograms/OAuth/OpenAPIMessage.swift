public import BillfoldJSON
public import PaymentCrypto

/// A request or answer as it came. Its members can be read once its signature was checked.
public struct UnverifiedOpenAPIMessage: Sendable {
    /// The path alone, without host and query. An answer has its request's.
    public var path: String
    /// Of the `Client-Id` header.
    public var clientID: String
    /// Of the `Request-Time` header (or `Response-Time`): ISO 8601 with an offset, as it stands there.
    public var time: String
    public var body: [UInt8]
    public var signature: OpenAPISignature

    public init(path: String, clientID: String, time: String, body: [UInt8], signature: OpenAPISignature) {
        self.path = path
        self.clientID = clientID
        self.time = time
        self.body = body
        self.signature = signature
    }

    /// Checks the signature, then reads the body. `untrusted-key` for a version that the client did not register, `signature-mismatch`,
    /// `malformed-json`.
    /// - Parameter keys: The keys that this client registered, by version.
    public func verified(by keys: [Int: PublicKey]) throws(MiniProgramError) -> OpenAPIMessage {
        guard let key = keys[signature.keyVersion] else {
            throw MiniProgramError(code: .untrustedKey, reason: "key version \(signature.keyVersion) is not registered")
        }
        guard signature.isValid(path: path, clientID: clientID, time: time, body: body, for: key) else {
            throw MiniProgramError(code: .signatureMismatch, reason: "the signature is not the client's over this message")
        }
        return OpenAPIMessage(path: path, clientID: clientID, time: time, object: try OpenAPIBody.object(body))
    }
}

/// A request or answer whose signature was checked.
public struct OpenAPIMessage: Sendable {
    public let path: String
    public let clientID: String
    public let time: String
    public let object: JSONObject
}

enum OpenAPIBody {
    static func object(_ body: [UInt8]) throws(MiniProgramError) -> JSONObject {
        do throws(JSONError) {
            return try JSONReader.readObject(body)
        } catch {
            throw MiniProgramError(code: .malformedJSON, reason: "the body is not strict JSON: \(error.code)")
        }
    }
}

/// Reads members of a message; `missing-field` and `malformed-field` name the member.
struct OpenAPIReader {
    let object: JSONObject

    /// Absent, null and empty are the same.
    func optional(_ key: String, maximum: Int) throws(MiniProgramError) -> String? {
        switch object[key] {
        case nil, .null?: return nil
        case .string(let text)?:
            guard text.unicodeScalars.count <= maximum, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else {
                throw MiniProgramError(code: .malformedField, reason: "\(key) is not text of at most \(maximum) characters")
            }
            return text.isEmpty ? nil : text
        default: throw MiniProgramError(code: .malformedField, reason: "\(key) is not text")
        }
    }

    func required(_ key: String, maximum: Int) throws(MiniProgramError) -> String {
        guard let text = try optional(key, maximum: maximum) else {
            throw MiniProgramError(code: .missingField, reason: "\(key) is missing")
        }
        return text
    }
}

/// The `result` of every answer (mini-programs.md#results).
public struct OpenAPIResult: Sendable, Hashable, CustomStringConvertible {
    /// Whether the call did what it was asked.
    public enum Status: String, Sendable, Hashable {
        case success = "S"
        /// Final: the same request fails again.
        case failure = "F"
        /// Not known: try the same request again, or ask.
        case unknown = "U"
    }

    public var resultCode: String
    public var resultStatus: Status
    public var resultMessage: String

    public init(_ code: String, _ status: Status, message: String) {
        (resultCode, resultStatus, resultMessage) = (code, status, message)
    }

    public static let success = Self("SUCCESS", .success, message: "success")
    public static let unknownException = Self("UNKNOWN_EXCEPTION", .unknown, message: "unknown; try again")
    public static let trafficExceedsLimit = Self("REQUEST_TRAFFIC_EXCEED_LIMIT", .unknown, message: "too many requests; try again later")
    public static let processFail = Self("PROCESS_FAIL", .failure, message: "the request cannot be done")
    public static let paramIllegal = Self("PARAM_ILLEGAL", .failure, message: "a parameter is missing or wrong")
    public static let accessDenied = Self("ACCESS_DENIED", .failure, message: "this client may not")
    public static let invalidSignature = Self("INVALID_SIGNATURE", .failure, message: "the signature is not the client's")
    public static let invalidAuthClient = Self("INVALID_AUTH_CLIENT", .failure, message: "the client is not known")
    public static let invalidAuthClientStatus = Self("INVALID_AUTH_CLIENT_STATUS", .failure, message: "the client is closed")
    /// Unknown, expired, used, or of another client. Codes of the AMS family; for mini programs inferred [I].
    public static let invalidCode = Self("INVALID_CODE", .failure, message: "the authorization code cannot be used")
    public static let usedCode = Self("USED_CODE", .failure, message: "the authorization code was used before")
    public static let expiredCode = Self("EXPIRED_CODE", .failure, message: "the authorization code has expired")
    public static let invalidRefreshToken = Self("INVALID_REFRESH_TOKEN", .failure, message: "the refresh token cannot be used")
    /// The documents give the beginning `INVALID_A…` and no more (mini-programs.md#results [I]).
    public static let invalidAccessToken = Self("INVALID_ACCESS_TOKEN", .failure, message: "the access token cannot be used")

    /// Those of the documents, and ours where they name none.
    public static let all: [Self] = [
        success, unknownException, trafficExceedsLimit, processFail, paramIllegal, accessDenied, invalidSignature, invalidAuthClient,
        invalidAuthClientStatus, invalidCode, usedCode, expiredCode, invalidRefreshToken, invalidAccessToken,
    ]

    /// The same code with a message that names the field.
    public func saying(_ message: String) -> Self { Self(resultCode, resultStatus, message: message) }

    /// How a request that breaks a rule of its members is answered.
    public static func refusing(_ error: MiniProgramError) -> Self {
        error.code == .signatureMismatch || error.code == .untrustedKey || error.code == .malformedSignature
            ? invalidSignature : paramIllegal.saying(error.reason)
    }

    /// Reads an answer's `result`. A status that is none of the three is unknown: nothing is made final that nobody said.
    public init(_ object: JSONObject) throws(MiniProgramError) {
        guard let result = object["result"]?.object, let code = result["resultCode"]?.string else {
            throw MiniProgramError(code: .missingField, reason: "result.resultCode is missing")
        }
        self.init(
            code, result["resultStatus"]?.string.flatMap(Status.init(rawValue:)) ?? .unknown,
            message: result["resultMessage"]?.string ?? "")
    }

    public var json: JSONValue {
        .texts(["resultCode": resultCode, "resultStatus": resultStatus.rawValue, "resultMessage": resultMessage])
    }

    public var description: String { "\(resultStatus.rawValue) \(resultCode)" }
}
