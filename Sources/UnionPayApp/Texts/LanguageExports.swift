// An app names the languages of the texts without an import of its own.
@_exported public import CustomerLanguages
