/**
 * Certificates as everybody handles them (paper §3.5; the protocol page, docs/protocol.md §2, §5.6): {@link
 * org.aspas.certify.certificate.CertificateVerifier} checks one with nothing but the descriptor's keys, {@link
 * org.aspas.certify.certificate.CertificateChain} checks that one follows another, and {@link
 * org.aspas.certify.certificate.CertificateAssembler} makes them of the shares that bftservers push. What is wrong with
 * bytes from others is a value, never an exception.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.certificate;
