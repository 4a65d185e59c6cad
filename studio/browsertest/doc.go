// Package browsertest tests the page of package studio in Chromium. It is a module of its
// own, so that whoever uses the page needs no driver of browsers.
package browsertest
