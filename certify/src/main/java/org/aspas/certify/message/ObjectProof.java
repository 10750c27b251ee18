package org.aspas.certify.message;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateProof;
import org.jspecify.annotations.Nullable;

/**
 * The proof of one object's value in the state tree of a certificate (the protocol page, §2, §6).
 *
 * @param type the object's datatype; absent when the object is proved absent
 * @param stateDigest the digest of the object's canonical CRDT state; absent when the object is proved absent
 * @param path the siblings up to the state root
 */
public record ObjectProof(@Nullable String type, @Nullable Hash stateDigest, StateProof path) {}
