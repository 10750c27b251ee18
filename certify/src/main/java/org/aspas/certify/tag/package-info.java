/**
 * Tags: what tells one appserver that a client sent a request, at a hundredth of the price of a signature (docs/tags.md; ADR 25).
 *
 * <p>A client puts a fresh X25519 share into its session record. With each appserver it then has a secret key ({@link
 * org.aspas.certify.tag.TagKey}), and beside a signed request it sends one tag for each appserver. {@link org.aspas.certify.tag.RequestTags} makes
 * them at a client; {@link org.aspas.certify.tag.SessionTags} knows the sessions at a server, and judges.
 *
 * <p>A tag convinces one server only and proves nothing to another one: evidence rests on signatures.
 */
@NullMarked
package org.aspas.certify.tag;

import org.jspecify.annotations.NullMarked;
