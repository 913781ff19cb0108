// Package sarif turns a Sealmark result into SARIF 2.1.0 that GitHub code
// scanning accepts.
//
// [Convert] reads the JSON that `sealmark run --json FILE` writes and needs
// nothing else: the rules come with the result. So another program can keep
// results and convert them later, or convert those of other machines:
//
//	err := sarif.Convert(resultFile, sarifFile, sarif.Options{Indent: true})
//
// The result is not trusted. Texts of the server under test stand only in
// messages, names and properties, escaped and cut; a result that is damaged
// gives an error and no document.
//
// # What the document holds
//
// One run. Its category, the text before the last slash of
// automationDetails.id, is [Category]; two servers of one repository need two
// server keys or two categories, since an upload replaces the one before it in
// the same category. All rules that the version of Sealmark declares, the same
// whatever the server. One result per finding; those that another finding
// explains are left out. A run without an assessment, or one that was cut
// short, has executionSuccessful false and the reason as a notification: it
// should not be uploaded, since alerts that it did not look for would close.
//
// # Places
//
// Code scanning refuses a whole file for one result without a place in the
// repository. So each result has one: the finding's own if it is known, else
// the file that made Sealmark launch the server. The tool is named as a
// logical location besides.
//
// # Identity of alerts
//
// Code scanning tells alerts apart by category, rule, path and the partial
// fingerprint primaryLocationLineHash; it uses no other. That value is
// customarily made of the source line, which would merge all findings of a
// rule that share an anchor. Here it is made of the server's key, the rule and
// the subject, and again written as "sealmark/v1" for other readers. It
// survives edits of the file, a moved line and other evidence, and differs
// between servers; only a move to another file makes a new alert. The price:
// the upload-sarif action calculates the value from the line as well and warns
// of the difference, although it keeps the one of the file. Sealmark's own
// action does its upload itself, so it gives no such warning.
//
// # Limits
//
// Code scanning shows the gravest 5,000 results. When there are more, the file
// holds one result per rule that stands for those left out, and a notification
// that counts them. Evidence is shortened, then left out, if the file would be
// over 10 MB when compressed. [Validate] knows all limits, and Convert gives
// no document that it finds fault with.
package sarif
