#if canImport(CJavaScriptCore)
    import CJavaScriptCore
#else
    import JavaScriptCore
#endif

/// What a script threw, in the engine's own words and places.
// Unchecked for the engine's value in it, which only the engine's own thread looks at.
struct JavaScriptFault: Error, @unchecked Sendable {
    var message: String
    var stack = ""
    var file: String?
    var line: Int?
    var column: Int?
    /// The value itself, for passing it on into the engine; of no use outside the call that it arose in.
    var thrown: JSValueRef?

    init(message: String) { self.message = message }
}
