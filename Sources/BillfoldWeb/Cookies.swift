/// The cookies that a browser sends.
package enum Cookies {
    /// The value of a cookie; `nil` where there is none, and where there are two of one name: somebody planted one.
    ///
    /// - Parameter headers: The values of the request's `Cookie` fields.
    package static func value(of name: String, in headers: [String]) -> String? {
        let values = headers.flatMap { $0.split(separator: ";") }.compactMap { pair -> Substring? in
            let pair = pair.drop { $0 == " " }
            return pair.hasPrefix(name + "=") ? pair.dropFirst(name.count + 1) : nil
        }
        return values.count == 1 ? values.first.map(String.init) : nil
    }
}
