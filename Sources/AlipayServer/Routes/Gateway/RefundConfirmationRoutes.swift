import Alipay
import BillfoldDiagnosis
import BillfoldServer
import BillfoldWeb
import HTTPTypes
import Hummingbird

/// The form of the page that ``RefundConfirmation`` shows, `POST /refund-batches` `call=…&password=…`, and what the page is drawn with.
struct RefundConfirmationRoutes: Sendable {
    /// A signed call, whose own limit is ``AlipayParameters/maximumLength``, encoded once more.
    private static let formLimit = 1_048_576

    private let confirmation: RefundConfirmation
    private let assets: PageAssets

    init(confirmation: RefundConfirmation) throws(AlipayServerError) {
        self.confirmation = confirmation
        do {
            assets = PageAssets(try PageSet.orderGateway.assets(with: ["billfold.css", "billfold.svg"]))
        } catch { throw AlipayServerError(code: .configurationInvalid, reason: error.reason) }
    }

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        assets.add(to: router, under: RefundBatchPage.assetsPath)
        router.post("\(RefundBatchPage.path)") { [confirmation] request, context in
            try request.requireMediaType("application/x-www-form-urlencoded")
            let form = FormFields(String(decoding: try await request.bytes(upTo: Self.formLimit), as: UTF8.self))
            guard form.names == ["call", "password"], let text = form["call"], let password = form["password"],
                let call = try? LegacyServiceRequest(Array(text.utf8))
            else {
                throw AlipayServerError(code: .malformedRequest, reason: "the form holds no signed call with a password")
            }
            return Self.response(
                try await confirmation.confirm(call, password: Secret(password), from: CallerName.of(context.remoteAddress)))
        }
    }

    static func response(_ answer: RefundConfirmation.Answer) -> Response {
        Response(
            status: answer.status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: answer.page)))
    }
}
