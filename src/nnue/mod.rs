//! Networks: file formats, feature inputs, inference.
