import HTTPTypes
import Hummingbird
import NIOCore

/// What the broker tells a device that something failed with (provisioning.md#device-logs). The whole account goes to the trace.
enum BrokerFailure: String {
    /// 500 with an HTML body: the app is not allowed, the configuration is incomplete, or something failed behind.
    case page
    /// 403, code 40001: the envelope opened and the card data were refused.
    case invalidCard
    /// 500, code 40456: failed after the terms.
    case enabling
    /// 403: a code was not taken; the device is told which of the four reasons it was.
    case code
    /// 404: no such card on this device.
    case unknownCard

    /// The whole reason, for the trace alone.
    struct Reasoned: Error {
        var failure: BrokerFailure
        /// A stable code.
        var code: String
        var reason: String
    }

    func response(_ code: String) throws -> Response {
        switch self {
        case .page:
            Response(
                status: .internalServerError, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(
                    byteBuffer: ByteBuffer(string: "<html><head><title>Error</title></head><body>Internal Server Error</body></html>")))
        case .invalidCard: try SandboxBody.json(BrokerWire.Refusal(code: 40_001, message: "Invalid Card"), status: .forbidden)
        case .enabling: try SandboxBody.json(BrokerWire.Refusal(code: 40_456, message: "Error"), status: .internalServerError)
        case .code: try SandboxBody.json(BrokerWire.Refusal(message: code), status: .forbidden)
        case .unknownCard: try SandboxBody.json(BrokerWire.Refusal(message: "Not Found"), status: .notFound)
        }
    }
}
