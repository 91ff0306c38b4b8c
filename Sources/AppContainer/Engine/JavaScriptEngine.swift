import Foundation

#if canImport(CJavaScriptCore)
    import CJavaScriptCore
#else
    import JavaScriptCore
#endif

/// One virtual machine with one global object: nothing in it is shared with another engine but the process's memory.
///
/// Confined to one thread at a time by its owner. What crosses into Swift is text, numbers and objects to hold; programs' values
/// travel as JSON, so that the same bytes go over a pipe to a worker.
final class JavaScriptEngine {
    typealias NativeBody = (JavaScriptEngine, [JSValueRef]) throws(JavaScriptFault) -> JSValueRef?

    /// Handed to the watchdog, which calls back while a script runs.
    private final class Deadline {
        var limit: Duration = .seconds(3600)
        var start = ContinuousClock.now
        var wasReached = false
    }

    let context: JSGlobalContextRef
    private let group: JSContextGroupRef
    private let deadline = Deadline()
    private var held: [JSObjectRef] = []

    /// Compiled code looks at a flag for the watchdog. By default the engine patches the code and sends its thread a signal instead, and a
    /// function that was ended once runs for ever the next time (seen with 2.50.6).
    private static let watchesByPolling: Bool = {
        #if canImport(CJavaScriptCore)
            jsc_options_set_boolean("usePollingTraps", 1) != 0
        #else
            false
        #endif
    }()

    init() throws(AppContainerError) {
        _ = Self.watchesByPolling
        guard let group = JSContextGroupCreate() else {
            throw AppContainerError(code: .engineUnavailable, reason: "no virtual machine")
        }
        guard let context = JSGlobalContextCreateInGroup(group, nil) else {
            JSContextGroupRelease(group)
            throw AppContainerError(code: .engineUnavailable, reason: "no context")
        }
        self.group = group
        self.context = context
    }

    deinit {
        for object in held { JSValueUnprotect(context, object) }
        JSGlobalContextRelease(context)
        JSContextGroupRelease(group)
    }

    // MARK: Limits

    /// Ends whatever runs longer from now on. The engine's watchdog is one shot: it is armed again here for every turn, and by its
    /// own callback while the turn lasts.
    func arm(_ limit: Duration) {
        deadline.limit = limit
        deadline.start = ContinuousClock.now
        deadline.wasReached = false
        #if canImport(CJavaScriptCore)
            Self.rearm(group, data: Unmanaged.passUnretained(deadline).toOpaque(), seconds: Self.slice(limit))
        #endif
    }

    /// Whether the watchdog ended something since ``arm(_:)``.
    var wasEnded: Bool { deadline.wasReached }

    /// The share of a turn's budget after which the watchdog looks at the clock.
    private static func slice(_ limit: Duration) -> Double { max(0.005, min(0.05, limit / .seconds(1) / 4)) }

    #if canImport(CJavaScriptCore)
        private static func rearm(_ group: JSContextGroupRef?, data: UnsafeMutableRawPointer?, seconds: Double) {
            JSContextGroupSetExecutionTimeLimit(
                group, seconds,
                { context, data in
                    guard let data else { return true }
                    let deadline = Unmanaged<Deadline>.fromOpaque(data).takeUnretainedValue()
                    if ContinuousClock.now - deadline.start >= deadline.limit {
                        deadline.wasReached = true
                        return true
                    }
                    JavaScriptEngine.rearm(JSContextGetGroup(context), data: data, seconds: JavaScriptEngine.slice(deadline.limit))
                    return false
                }, data)
        }
    #endif

    /// Turns off `eval` and every constructor that compiles text. Scripts of ``evaluate(_:name:)`` still run.
    func forbidTextAsCode() {
        #if canImport(CJavaScriptCore)
            Self.withString("text is not run as code here") { JSGlobalContextSetEvalEnabled(context, false, $0) }
        #endif
    }

    /// Calls a function with (promise, reason) for each rejection that nobody listens to when a turn ends.
    func onUnhandledRejection(_ function: JSObjectRef) {
        #if canImport(CJavaScriptCore)
            JSGlobalContextSetUnhandledRejectionCallback(context, function, nil)
        #endif
    }

    // MARK: Running

    /// Runs a script. Line numbers in faults are those of `text`, the first of which is 1.
    func evaluate(_ text: String, name: String) throws(JavaScriptFault) -> JSValueRef {
        var exception: JSValueRef?
        let value = Self.withString(text) { script in
            Self.withString(name) { JSEvaluateScript(context, script, nil, $0, 1, &exception) }
        }
        return try self.value(value, exception)
    }

    func call(_ function: JSObjectRef, _ arguments: [JSValueRef?]) throws(JavaScriptFault) -> JSValueRef {
        var exception: JSValueRef?
        let value = arguments.withUnsafeBufferPointer {
            JSObjectCallAsFunction(context, function, nil, $0.count, $0.baseAddress, &exception)
        }
        return try self.value(value, exception)
    }

    private func value(_ value: JSValueRef?, _ exception: JSValueRef?) throws(JavaScriptFault) -> JSValueRef {
        if let exception { throw fault(exception) }
        guard let value else { throw JavaScriptFault(message: "the script was ended") }
        return value
    }

    // MARK: Values

    func string(_ text: String) -> JSValueRef { Self.withString(text) { JSValueMakeString(context, $0) } }

    func boolean(_ value: Bool) -> JSValueRef { JSValueMakeBoolean(context, value) }

    func number(_ value: Double) -> JSValueRef { JSValueMakeNumber(context, value) }

    var undefined: JSValueRef { JSValueMakeUndefined(context) }

    func isUndefined(_ value: JSValueRef) -> Bool { JSValueIsUndefined(context, value) }

    /// What `String(value)` says; empty where even that throws.
    func text(_ value: JSValueRef) -> String {
        guard let copy = JSValueToStringCopy(context, value, nil) else { return "" }
        defer { JSStringRelease(copy) }
        return Self.text(copy)
    }

    func double(_ value: JSValueRef) -> Double { JSValueToNumber(context, value, nil) }

    /// An object that is kept until the engine goes.
    func hold(_ value: JSValueRef) throws(JavaScriptFault) -> JSObjectRef {
        guard JSValueIsObject(context, value), let object = JSValueToObject(context, value, nil) else {
            throw JavaScriptFault(message: "an object is due")
        }
        JSValueProtect(context, object)
        held.append(object)
        return object
    }

    func newObject() -> JSObjectRef { JSObjectMake(context, nil, nil) }

    func set(_ name: String, of object: JSObjectRef, to value: JSValueRef) {
        Self.withString(name) { JSObjectSetProperty(context, object, $0, value, JSPropertyAttributes(kJSPropertyAttributeNone), nil) }
    }

    func property(_ name: String, of object: JSObjectRef) -> JSValueRef? {
        Self.withString(name) { JSObjectGetProperty(context, object, $0, nil) }
    }

    // MARK: Functions

    private final class NativeFunction {
        // The function lives in the engine's own context, so the engine outlives every call of it.
        unowned let engine: JavaScriptEngine
        let body: NativeBody
        init(engine: JavaScriptEngine, body: @escaping NativeBody) { (self.engine, self.body) = (engine, body) }
    }

    /// A class in the C API's sense; made once, never released. Safe to share: the engine only reads it.
    private nonisolated(unsafe) static let nativeFunctionClass: JSClassRef? = {
        var definition = JSClassDefinition()
        definition.finalize = { object in
            guard let data = JSObjectGetPrivate(object) else { return }
            Unmanaged<NativeFunction>.fromOpaque(data).release()
        }
        definition.callAsFunction = { context, function, _, count, arguments, exception in
            guard let data = JSObjectGetPrivate(function) else { return nil }
            let native = Unmanaged<NativeFunction>.fromOpaque(data).takeUnretainedValue()
            let values = UnsafeBufferPointer(start: arguments, count: count).compactMap { $0 }
            do throws(JavaScriptFault) {
                return try native.body(native.engine, values) ?? native.engine.undefined
            } catch {
                exception?.pointee = native.engine.error(error)
                return nil
            }
        }
        return JSClassCreate(&definition)
    }()

    func function(_ body: @escaping NativeBody) -> JSObjectRef {
        JSObjectMake(
            context, Self.nativeFunctionClass, Unmanaged.passRetained(NativeFunction(engine: self, body: body)).toOpaque())
    }

    /// The value that a fault was thrown as, or an error object of its message.
    private func error(_ fault: JavaScriptFault) -> JSValueRef {
        if let thrown = fault.thrown { return thrown }
        let message = string(fault.message)
        return withUnsafePointer(to: Optional(message)) { JSObjectMakeError(context, 1, $0, nil) } ?? message
    }

    // MARK: Faults

    func fault(_ exception: JSValueRef) -> JavaScriptFault {
        var fault = JavaScriptFault(message: text(exception))
        fault.thrown = exception
        guard JSValueIsObject(context, exception), let object = JSValueToObject(context, exception, nil) else { return fault }
        func member(_ name: String) -> JSValueRef? {
            property(name, of: object).flatMap { JSValueIsUndefined(context, $0) ? nil : $0 }
        }
        fault.stack = member("stack").map(text) ?? ""
        fault.file = member("sourceURL").map(text)
        fault.line = member("line").flatMap { Int(exactly: double($0)) }
        fault.column = member("column").flatMap { Int(exactly: double($0)) }
        return fault
    }

    // MARK: Text

    private static func withString<Result>(_ text: String, _ body: (JSStringRef?) -> Result) -> Result {
        let string: JSStringRef?
        if text.utf8.contains(0) {
            // The engine's other constructor takes text that ends with its first zero.
            string = Array(text.utf16).withUnsafeBufferPointer { JSStringCreateWithCharacters($0.baseAddress, $0.count) }
        } else {
            string = text.withCString { JSStringCreateWithUTF8CString($0) }
        }
        defer { if let string { JSStringRelease(string) } }
        return body(string)
    }

    private static func text(_ string: JSStringRef) -> String {
        let capacity = JSStringGetMaximumUTF8CStringSize(string)
        return String(unsafeUninitializedCapacity: capacity) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { max(0, JSStringGetUTF8CString(string, $0.baseAddress, capacity) - 1) }
        }
    }
}
