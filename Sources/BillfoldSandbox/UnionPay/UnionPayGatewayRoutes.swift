import BillfoldTrace
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import UnionPay

/// The addresses that a merchant knows.
struct UnionPayGatewayRoutes: Sendable {
    let service: UnionPayGatewayService
    let tracer: UnionPayGatewayTracer
    let notifier: UnionPayGatewayNotifier

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let addresses: [(RouterPath, Set<TransactionType>)] = [
            ("gateway/api/backTransReq.do", [.consume, .void, .refund, .reversal]),
            ("gateway/api/appTransReq.do", [.consume]),
            ("gateway/api/cardTransReq.do", [.consume, .reversal]),
            ("gateway/api/queryTrans.do", [.query]),
            ("file", [.fileTransfer]),
        ]
        for (path, allowed) in addresses {
            let isPush = path == "gateway/api/appTransReq.do"
            router.post(path) { request, _ in try await answer(request, allowed: allowed, isPush: isPush) }
        }
    }

    private func answer(_ request: Request, allowed: Set<TransactionType>, isPush: Bool) async throws -> Response {
        let body: [UInt8]
        do { body = Array((try await request.body.collect(upTo: FormBody.maximumLength)).readableBytesView) } catch {
            return Response(status: .contentTooLarge)
        }
        let isReported = HTTPField.Name(Exchange.headerName).map { Exchange.isName(request.headers[$0]) } ?? false
        let message: UnionPayFields
        let answer: UnionPayGatewayService.Answer
        do throws(UnionPayError) {
            message = try FormBody.decode(body)
        } catch {
            tracer.request(UnionPayFields(), body: body, problem: "\(error)", isReported: isReported)
            return try respond(service.unreadable(error), to: UnionPayFields(), isReported: isReported)
        }
        answer = try await service.answer(message, allowed: allowed, isPush: isPush)
        // A message that the plan loses is told once, as lost.
        tracer.request(message, body: body, problem: answer.fields == nil ? nil : answer.problem, isReported: isReported)
        if answer.isBooked, answer.plan.notificationBeforeReply { _ = try await notifier.deliverDue() }
        if answer.plan.replyDelayMilliseconds > 0 { try await Task.sleep(for: .milliseconds(answer.plan.replyDelayMilliseconds)) }
        return try respond(answer, to: message, isReported: isReported)
    }

    private func respond(_ answer: UnionPayGatewayService.Answer, to message: UnionPayFields, isReported: Bool) throws -> Response {
        guard let fields = answer.fields, answer.plan.loss == .nothing else {
            tracer.lost(
                message, answer.plan.loss == .reply ? "the reply was lost on the way (fault plan)" : "the request was lost (fault plan)")
            return Self.brokenConnection
        }
        let body = try ReplyBody.encode(fields)
        tracer.reply(fields, to: message, body: body, isCorrupt: answer.plan.corruptReplySignature, isReported: isReported)
        return Response(
            status: .ok, headers: [.contentType: "text/plain;charset=UTF-8"], body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// Promises a body and breaks off, which is what a caller sees of an answer that is lost.
    private static var brokenConnection: Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain;charset=UTF-8"],
            body: ResponseBody(contentLength: 512) { _ in
                throw SandboxError(code: .noAnswer, reason: "the connection is broken off on purpose")
            })
    }
}
