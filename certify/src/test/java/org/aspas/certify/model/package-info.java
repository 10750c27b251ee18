/**
 * Explicit-state search over the real signer ({@code certify.signer.CertificateSigner}) and the real certification machine, with one
 * liar among four bftservers (docs/model.md). Every distinct state of a component is met by every distinct input once, by the
 * production class; the outcome is remembered, so that a step of the whole is a few look-ups.
 */
package org.aspas.certify.model;
