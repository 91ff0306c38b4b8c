import AppContainer
import Foundation

/// HTTP for the app and for its mini programs: follows no redirect by itself and keeps no cookies, because the container decides about
/// both.
struct Network: Sendable {
    private let exchanges = Exchanges()
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    /// Throws `RequestingHost.NoAnswer` where no answer comes.
    func send(_ request: RequestingHost.Request) async throws -> RequestingHost.Response {
        var question = URLRequest(url: request.address, timeoutInterval: TimeInterval(request.timeout.components.seconds))
        question.httpMethod = request.method
        for (name, value) in request.headers { question.setValue(value, forHTTPHeaderField: name) }
        if !request.body.isEmpty { question.httpBody = Data(request.body) }
        let task = session.dataTask(with: question)
        return try await withCheckedThrowingContinuation { answer in
            exchanges.begin(task.taskIdentifier, answer)
            task.resume()
        }
    }
}

/// The answers that are under way. Unchecked only because its superclass is: its state lies behind a lock.
private final class Exchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Answer = CheckedContinuation<RequestingHost.Response, any Error>

    /// In bytes: more than a package has.
    private static let limit = 32 << 20
    private let lock = NSLock()
    private var waiting: [Int: (body: Data, answer: Answer)] = [:]

    func begin(_ task: Int, _ answer: Answer) { lock.withLock { waiting[task] = (Data(), answer) } }

    /// Hands every redirect out as the answer that it is.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = lock.withLock {
            waiting[dataTask.taskIdentifier]?.body.append(data)
            return (waiting[dataTask.taskIdentifier]?.body.count ?? 0) > Self.limit
        }
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let (body, answer) = lock.withLock({ waiting.removeValue(forKey: task.taskIdentifier) }) else { return }
        guard error == nil, let response = task.response as? HTTPURLResponse else {
            let isLate = (error as? URLError)?.code == .timedOut
            return answer.resume(throwing: isLate ? RequestingHost.NoAnswer.timedOut : RequestingHost.NoAnswer.network)
        }
        let headers = response.allHeaderFields.map { (name: "\($0.key)".lowercased(), value: "\($0.value)") }
        answer.resume(returning: RequestingHost.Response(status: response.statusCode, headers: headers, body: Array(body)))
    }
}
