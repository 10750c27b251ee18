/**
 * What follows from measured steps: the spread of a figure over its repetitions, whether a claim is repeated, and how one
 * run differs from another.
 */
@NullMarked
package org.aspas.emulab.experiments.result;

import org.jspecify.annotations.NullMarked;
