/**
 * Who is who, and how each proves it: node and client identifiers, Ed25519 keys and signatures (RFC 8032) with a domain
 * tag and the deployment id in every signed text, the operator-signed deployment descriptor, and the limits that all
 * nodes share. What a right signature is, is one rule ({@link org.aspas.certify.identity.Ed25519}), named in the
 * descriptor; which library computes it is each process's own affair ({@link org.aspas.certify.identity.Ed25519Choice}).
 * Bouncy Castle is imported here and nowhere else.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.identity;
