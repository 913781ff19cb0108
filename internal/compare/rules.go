package compare

// The rules of pack surface, which internal/check/surface declares; a test
// holds the two together.
const (
	toolRemoved         = "surface.tool-removed"
	promptRemoved       = "surface.prompt-removed"
	templateRemoved     = "surface.template-removed"
	argumentRequired    = "surface.argument-required"
	argumentRemoved     = "surface.argument-removed"
	argumentsClosed     = "surface.arguments-closed"
	typeChanged         = "surface.type-changed"
	enumNarrowed        = "surface.enum-narrowed"
	boundTightened      = "surface.bound-tightened"
	outputChanged       = "surface.output-changed"
	annotationChanged   = "surface.annotation-changed"
	capabilityRemoved   = "surface.capability-removed"
	breakingUnversioned = "surface.breaking-unversioned"

	toolAdded          = "surface.tool-added"
	argumentAdded      = "surface.argument-added"
	outputAdded        = "surface.output-added"
	promptAdded        = "surface.prompt-added"
	resourceAdded      = "surface.resource-added"
	resourceRemoved    = "surface.resource-removed"
	capabilityAdded    = "surface.capability-added"
	descriptionChanged = "surface.description-changed"
	schemaChanged      = "surface.schema-changed"
	serverChanged      = "surface.server-changed"
)
