import BillfoldServer
import HTTPTypes
import Logging
import MiniPrograms

extension OpenAPIRefusal {
    /// What an error is to a caller. What only we know of is unknown to it: it sends the same request again, or asks.
    init(refusing error: any Error, logger: Logger) {
        switch error {
        case let refusal as OpenAPIRefusal: self = refusal
        case let error as MiniProgramError: self.init(Self.result(of: error))
        case let error as WalletError where error.code == .malformedRequest: self.init(.paramIllegal, error.reason)
        case let error as WalletError where error.code.status.code < 500:
            self.init(OpenAPIResult(Self.name(error.code.description), .failure, message: error.reason))
        default:
            logger.error("a signed call could not be answered", metadata: ["error": "\(ErrorMapping.logDescription(of: error))"])
            self.init(.unknownException)
        }
    }

    /// Broken members are `PARAM_ILLEGAL`, as documented. Of packages and releases no codes are documented: ours have the error's own name.
    private static func result(of error: MiniProgramError) -> OpenAPIResult {
        switch error.code {
        case .missingField, .malformedField, .malformedJSON: .paramIllegal.saying(error.reason)
        default: OpenAPIResult(name(error.code.description), .failure, message: error.reason)
        }
    }

    private static func name(_ code: String) -> String { code.uppercased().replacing("-", with: "_") }
}
