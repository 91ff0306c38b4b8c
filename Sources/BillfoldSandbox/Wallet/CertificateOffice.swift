import ApplePay
import ApplePayForging
import BillfoldJSON
import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
import PaymentCrypto

/// The certificate office over HTTP, under `/certificates`: what a merchant does on the wallet owner's site.
///
/// - `POST /certificates/processing` and `POST /certificates/identity`: the body is a certificate request in PEM; the query may
///   carry `merchantIdentifier` (default: the request's UID or CN) and `activate=true`. Answers 201 with the certificate in PEM
///   and its serial in `Location`.
/// - `GET /certificates`: everything issued, as JSON. `GET /certificates/{serial}`: one certificate in PEM.
/// - `POST /certificates/{serial}/activation`: tokens are encrypted to this one from now on.
/// - `POST /certificates/rotations` `{"key": "EC" | "RSA"}`, where the merchant's administrator is played too: has a new processing
///   certificate issued for a new key, and answers 201 as the list shows it. The wallet goes on with the old one until the new
///   one is activated; tokens for either are opened by the merchant.
/// - `GET /certificates/root` and `GET /certificates/intermediate`: the authority's own, in PEM.
package struct CertificateOffice: Sendable {
    private static let pemType = "application/x-pem-file"
    /// Makes a key of the kind, `EC` or `RSA`, for the merchant, has it certified, and leaves both where its server finds them.
    package typealias Rotation = @Sendable (_ keyKind: String) async throws -> IssuedCertificate

    private let directory: MerchantDirectory
    private let rotate: Rotation?

    package init(directory: MerchantDirectory, rotate: Rotation? = nil) {
        self.directory = directory
        self.rotate = rotate
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let directory = directory
        let group = router.group("certificates")
        group.get("") { _, _ in
            let list = await directory.all
            return Self.json(JSONObject([.init("certificates", .array(list.map { .object($0.json) }))]))
        }
        group.get("root") { _, _ in Self.pem(directory.authority.root.pem) }
        group.get("intermediate") { _, _ in Self.pem(directory.authority.intermediate.pem) }
        for kind in WalletAuthority.MerchantCertificateKind.allCases {
            group.post("\(kind.rawValue)") { request, _ in
                await Self.answering {
                    let body = try await Self.body(request)
                    let issued = try await directory.issue(
                        Self.request(String(buffer: body)), kind: kind,
                        merchantIdentifier: request.uri.queryParameters["merchantIdentifier"].map(String.init),
                        activate: Self.activates(request))
                    var response = Self.pem(issued.certificate.pem, status: .created)
                    response.headers[.location] = "/certificates/\(issued.serial)"
                    return response
                }
            }
        }
        if let rotate {
            group.post("rotations") { request, _ in
                await Self.answering {
                    let body = try await Self.body(request)
                    let order = try JSONReader.readObject([UInt8](body.readableBytesView))
                    guard order.members(besides: ["key"]).isEmpty, let key = order["key"]?.string, ["EC", "RSA"].contains(key) else {
                        throw WalletSimulatorError(
                            code: .keyKind, reason: "a rotation names the kind of its key, EC or RSA, and nothing else")
                    }
                    let issued = try await rotate(key)
                    var response = Self.json(issued.json, status: .created)
                    response.headers[.location] = "/certificates/\(issued.serial)"
                    return response
                }
            }
        }
        group.get(":serial") { _, context in
            await Self.answering {
                let serial = context.parameters.get("serial") ?? ""
                guard let found = await directory.all.first(where: { $0.serial == serial }) else {
                    throw WalletSimulatorError(code: .unknownCertificate, reason: "no such certificate was issued")
                }
                return Self.pem(found.certificate.pem)
            }
        }
        group.post(":serial/activation") { _, context in
            await Self.answering { Self.json(try await directory.activate(serial: context.parameters.get("serial") ?? "").json) }
        }
    }

    private static func activates(_ request: Request) throws(WalletSimulatorError) -> Bool {
        switch request.uri.queryParameters["activate"] {
        case nil, "false": return false
        case "true": return true
        default: throw WalletSimulatorError(code: .malformedRequest, reason: "activate is true or false")
        }
    }

    private static func body(_ request: Request) async throws(WalletSimulatorError) -> ByteBuffer {
        do { return try await request.body.collect(upTo: 16_384) } catch {
            throw WalletSimulatorError(code: .malformedRequest, reason: "the office reads at most 16 KiB")
        }
    }

    private static func request(_ pem: String) throws(WalletSimulatorError) -> CertificateRequest {
        do throws(PaymentCryptoError) {
            return try CertificateRequest(pem: pem)
        } catch {
            throw WalletSimulatorError(code: .malformedRequest, reason: error.reason)
        }
    }

    /// Turns refusals into `{"error":{"code","reason"}}`.
    private static func answering(_ body: () async throws -> Response) async -> Response {
        do {
            return try await body()
        } catch let error as WalletSimulatorError {
            return refusal(
                error.code.description, reason: error.reason, status: error.code == .unknownCertificate ? .notFound : .unprocessableContent)
        } catch let error as ApplePayError {
            return refusal(error.code.description, reason: error.reason, status: .unprocessableContent)
        } catch let error as JSONError {
            return refusal(error.code.description, reason: error.reason, status: .unprocessableContent)
        } catch {
            return refusal("internal", reason: "the office cannot do that now", status: .internalServerError)
        }
    }

    private static func refusal(_ code: String, reason: String, status: HTTPResponse.Status) -> Response {
        json(
            JSONObject([.init("error", .object(JSONObject([.init("code", .string(code)), .init("reason", .string(reason))])))]),
            status: status)
    }

    private static func json(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: JSONWriter.write(object))))
    }

    private static func pem(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: [.contentType: pemType], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
