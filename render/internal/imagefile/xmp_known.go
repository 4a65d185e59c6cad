package imagefile

import (
	"encoding/xml"
	"slices"
	"strings"
)

// The namespaces of what holds properties together.
const (
	spaceMeta = "adobe:ns:meta/"
	spaceRDF  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	spaceXML  = "http://www.w3.org/XML/1998/namespace"
	spaceNote = "http://ns.adobe.com/xmp/note/"
)

// knownProperties are the names of XMP's properties, and of their fields, that
// stay when the location goes, by their namespace: how the picture was taken and
// edited, whose it is, titles and flat keywords. Hierarchical keywords are not
// among them, since they say that a word is a place, and in which country it lies.
var knownProperties = map[string][]string{
	"http://darktable.sf.net/": strings.Fields(`xmp_version raw_params auto_presets_applied
		history history_end history_version history_operation history_enabled history_params
		num operation enabled modversion params multi_name multi_name_hand_edited multi_priority
		iop_order blendop_version blendop_params
		iop_order_version iop_order_list history_basic_hash history_auto_hash history_current_hash
		import_timestamp change_timestamp export_timestamp print_timestamp
		masks_history mask mask_num mask_id mask_type mask_name mask_version mask_points mask_nb mask_src
		version_name colorlabels`),
	"https://github.com/chemigram/chemigram/ns/1.0/": {"state"},
	spaceNote:                             {"HasExtendedXMP"}, // the digest of the rest of the packet
	"http://purl.org/dc/elements/1.1/":    {"title", "description", "subject", "creator", "rights", "publisher", "format"},
	"http://ns.adobe.com/xap/1.0/":        {"CreateDate", "ModifyDate", "MetadataDate", "CreatorTool", "Rating", "Label"},
	"http://ns.adobe.com/xap/1.0/mm/":     {"DerivedFrom"}, // darktable's: the raw's name
	"http://ns.adobe.com/xap/1.0/rights/": {"Marked", "Owner", "UsageTerms", "WebStatement"},
	"http://creativecommons.org/ns#":      {"license", "attributionName", "attributionURL"},
	"http://ns.useplus.org/ldf/xmp/1.0/": strings.Fields(`CopyrightOwner CopyrightOwnerName ImageCreator ImageCreatorName
		Licensor LicensorName LicensorEmail LicensorURL ModelReleaseStatus PropertyReleaseStatus DataMining`),
	"http://ns.adobe.com/photoshop/1.0/": strings.Fields(`AuthorsPosition CaptionWriter ColorMode Credit DateCreated
		Headline ICCProfile Source Urgency`),
	"http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": {"CreatorContactInfo", "CiEmailWork", "CiUrlWork", "CiTelWork"},
	"http://ns.adobe.com/tiff/1.0/": strings.Fields(`ImageWidth ImageLength BitsPerSample Compression
		PhotometricInterpretation Orientation SamplesPerPixel PlanarConfiguration YCbCrSubSampling YCbCrPositioning
		XResolution YResolution ResolutionUnit WhitePoint PrimaryChromaticities YCbCrCoefficients ReferenceBlackWhite
		DateTime ImageDescription Make Model Software Artist Copyright`),
	"http://ns.adobe.com/exif/1.0/": strings.Fields(`ExifVersion FlashpixVersion ColorSpace Gamma ComponentsConfiguration
		CompressedBitsPerPixel PixelXDimension PixelYDimension DateTimeOriginal DateTimeDigitized
		ExposureTime FNumber ExposureProgram ISOSpeedRatings ShutterSpeedValue ApertureValue BrightnessValue
		ExposureBiasValue MaxApertureValue SubjectDistance MeteringMode LightSource FocalLength SubjectArea
		Flash Fired Return Mode Function RedEyeMode FlashEnergy
		FocalPlaneXResolution FocalPlaneYResolution FocalPlaneResolutionUnit ExposureIndex SensingMethod FileSource
		SceneType CustomRendered ExposureMode WhiteBalance DigitalZoomRatio FocalLengthIn35mmFilm SceneCaptureType
		GainControl Contrast Saturation Sharpness SubjectDistanceRange`),
	"http://ns.adobe.com/exif/1.0/aux/": strings.Fields(`Lens LensID LensInfo LensSerialNumber SerialNumber OwnerName
		Firmware FlashCompensation ApproximateFocusDistance`),
	"http://cipa.jp/exif/1.0/": strings.Fields(`InteroperabilityIndex Gamma PhotographicSensitivity SensitivityType
		StandardOutputSensitivity RecommendedExposureIndex ISOSpeed ISOSpeedLatitudeyyy ISOSpeedLatitudezzz
		CameraOwnerName BodySerialNumber LensSpecification LensMake LensModel LensSerialNumber
		CompositeImage SourceImageNumberOfCompositeImage`),
}

// A role is what an element of an XMP packet is.
type role int

const (
	unknown   role = iota
	framework      // holds properties, and no text
	list           // holds the items of a property, and no text
	item           // of a list
	property
)

// roleOf gives the role of an element by its name.
func roleOf(name xml.Name) role {
	switch name.Space {
	case spaceMeta:
		if name.Local == "xmpmeta" || name.Local == "xapmeta" {
			return framework
		}
	case spaceRDF:
		switch name.Local {
		case "RDF", "Description":
			return framework
		case "Bag", "Seq", "Alt":
			return list
		case "li", "value":
			return item
		}
	default:
		if slices.Contains(knownProperties[name.Space], name.Local) {
			return property
		}
	}
	return unknown
}

// isKnownAttribute reports whether an attribute stays.
func isKnownAttribute(a xml.Attr) bool {
	name := a.Name
	switch name.Space {
	case "xmlns":
		return isKnownSpace(a.Value) && !holdsPosition(name.Local)
	case "", spaceMeta:
		return false
	case "xml", spaceXML:
		return name.Local == "lang" && isLanguage(a.Value)
	case spaceRDF:
		switch name.Local {
		case "about":
			return a.Value == ""
		case "parseType":
			return a.Value == "Resource"
		case "resource", "value":
			return !holdsPosition(a.Value)
		}
		return false
	}
	return roleOf(name) == property && mayStay(name, a.Value)
}

// mayStay reports whether a known property may have this text.
func mayStay(name xml.Name, text string) bool {
	return name.Local == "iop_order" || !holdsPosition(text) // 28.0000000, a place in darktable's pipeline
}

func isKnownSpace(space string) bool {
	return space == spaceMeta || space == spaceRDF || knownProperties[space] != nil
}

// isLanguage reports whether a text is like the names of languages, x-default
// and de-AT.
func isLanguage(text string) bool {
	return len(text) <= 16 && strings.Trim(text, "-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == ""
}
