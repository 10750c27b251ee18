/**
 * Who is who, and how each proves it: node and client identifiers, Ed25519 keys and signatures (RFC 8032) with a domain
 * tag and the deployment id in every signed text, the operator-signed deployment descriptor, and the limits that all
 * nodes share. Bouncy Castle is imported here and nowhere else; {@link org.aspas.certify.identity.Ed25519} sits on the
 * JCA seam, so that another provider may replace it (the protocol page, §1).
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.identity;
