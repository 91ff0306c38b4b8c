import BillfoldDiagnosis
import Hummingbird
import PaymentCrypto

/// Lets a program read that presents a token as `Authorization: Bearer`; everybody else is asked who acts.
struct ScraperAuthentication: RouterMiddleware {
    typealias Context = ServerRequestContext

    let token: Secret<String>?
    let otherwise: OperatorAuthentication

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let token, let sent = request.bearer, ConstantTime.equal(sent, token.reveal()) else {
            return try await otherwise.handle(request, context: context, next: next)
        }
        var context = context
        context.operatorIdentity = .onlooker
        return try await next(request, context)
    }
}
